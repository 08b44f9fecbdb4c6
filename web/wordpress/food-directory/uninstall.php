<?php

/**
 * Removes everything the plugin stored, on every site of a network.
 *
 * @package FoodDirectory
 */

defined('WP_UNINSTALL_PLUGIN') || exit;

/** Settings and kept answers of the present site. */
function food_directory_forget(): void
{
    global $wpdb;
    delete_option('food_directory_settings');
    $names = [$wpdb->esc_like('_transient_food_directory_') . '%', $wpdb->esc_like('_transient_timeout_food_directory_') . '%'];
    foreach ($names as $name) {
        $found = $wpdb->get_col($wpdb->prepare("SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE %s", $name));
        array_map('delete_option', $found);
    }
}

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $food_directory_site) {
        switch_to_blog($food_directory_site);
        food_directory_forget();
        restore_current_blog();
    }
} else {
    food_directory_forget();
}
