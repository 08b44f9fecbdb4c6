<?php

/**
 * Plugin Name:       Food Directory
 * Description:       Lists food help near a ZIP code from an open food directory: a block and a shortcode, in English and Spanish.
 * Version:           1.0.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/old-licenses/gpl-2.0.html
 * Text Domain:       food-directory
 * Domain Path:       /languages
 *
 * This program is free software; you can redistribute it and/or modify it under the terms of the GNU General
 * Public License as published by the Free Software Foundation; either version 2 of the License, or (at your
 * option) any later version. It is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
 * without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU General
 * Public License for more details.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const VERSION = '1.0.0';
const FILE = __FILE__;

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/settings-page.php';
require __DIR__ . '/includes/words.php';
require __DIR__ . '/includes/directory.php';
require __DIR__ . '/includes/hours.php';
require __DIR__ . '/includes/place.php';
require __DIR__ . '/includes/listing.php';
require __DIR__ . '/includes/block.php';

add_action('init', __NAMESPACE__ . '\load_words', 5);
add_action('init', __NAMESPACE__ . '\register_block_and_shortcode');
add_action('admin_init', __NAMESPACE__ . '\register_settings');
add_action('admin_menu', __NAMESPACE__ . '\add_settings_page');
add_action('admin_post_food_directory_check', __NAMESPACE__ . '\check_service');
add_filter('plugin_action_links_' . plugin_basename(FILE), __NAMESPACE__ . '\with_settings_link');
add_filter('load_script_translation_file', __NAMESPACE__ . '\file_of_script_words', 10, 3);
