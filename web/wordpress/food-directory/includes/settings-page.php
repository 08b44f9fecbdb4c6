<?php

/**
 * The page of settings. WordPress checks its nonce and the capability in options.php; the button below does so itself.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const PAGE = 'food-directory';
const MAY_SET = 'manage_options';
const CHECK = 'food_directory_check';

/** Tells WordPress of the setting, its rule and its fields. */
function register_settings(): void
{
    register_setting(PAGE, OPTION, [
        'type' => 'object',
        'sanitize_callback' => __NAMESPACE__ . '\sanitized',
        'default' => DEFAULTS,
        'show_in_rest' => false,
    ]);
    add_settings_section('service', __('The directory', 'food-directory'), __NAMESPACE__ . '\tell_service', PAGE);
    add_settings_section('usual', __('What is shown unless a block says otherwise', 'food-directory'), '__return_null', PAGE);
    $fields = [
        'address' => ['service', __('Address of the directory', 'food-directory'), 'text_field'],
        'minutes' => ['service', __('Minutes for which an answer is kept', 'food-directory'), 'number_field'],
        'zip' => ['usual', __('ZIP code, or city and state', 'food-directory'), 'text_field'],
        'mode' => ['usual', __('Kind of help', 'food-directory'), 'choice_field'],
        'theme' => ['usual', __('Colors', 'food-directory'), 'choice_field'],
        'limit' => ['usual', __('Number of places', 'food-directory'), 'number_field'],
    ];
    foreach ($fields as $name => [$section, $label, $field]) {
        $told = ['name' => $name, 'label_for' => 'food-directory-' . $name];
        add_settings_field($name, $label, __NAMESPACE__ . '\\' . $field, PAGE, $section, $told);
    }
    wp_add_privacy_policy_content(__('Food Directory', 'food-directory'), wp_kses_post(wpautop(privacy_text())));
}

function privacy_text(): string
{
    return __('When you look for food help on this site, this site asks the food directory for places near the ZIP code you enter. Your name, your IP address and your browser are not sent. Where a page shows the search of the directory in a frame, your browser loads that frame from the directory.', 'food-directory');
}

/**
 * The rule of the setting: a value that breaks it is told, and the one before stays.
 *
 * @param mixed $given
 */
function sanitized($given): array
{
    $given = is_array($given) ? $given : [];
    $before = settings();
    $kept = cleaned($given, $before);
    if (trim((string) ($given['address'] ?? '')) !== '' && service_address($given['address'], '') === '') {
        $told = __('The address of the directory was not changed: it must look like https://food.example.', 'food-directory');
        add_settings_error(OPTION, 'address', $told);
    }
    if ($kept['address'] !== $before['address']) {
        delete_transient(PAUSE);
    }
    return $kept;
}

function add_settings_page(): void
{
    $name = __('Food Directory', 'food-directory');
    add_options_page($name, $name, MAY_SET, PAGE, __NAMESPACE__ . '\show_settings_page');
}

/** @param string[] $links */
function with_settings_link(array $links): array
{
    $address = admin_url('options-general.php?page=' . PAGE);
    array_unshift($links, '<a href="' . esc_url($address) . '">' . esc_html__('Settings', 'food-directory') . '</a>');
    return $links;
}

function show_settings_page(): void
{
    if (!current_user_can(MAY_SET)) {
        return;
    }
    echo '<div class="wrap"><h1>' . esc_html(get_admin_page_title()) . '</h1>';
    show_result_of_check();
    echo '<form action="' . esc_url(admin_url('options.php')) . '" method="post">';
    settings_fields(PAGE);
    do_settings_sections(PAGE);
    submit_button();
    echo '</form>';
    echo '<form action="' . esc_url(admin_url('admin-post.php')) . '" method="post">';
    echo '<input type="hidden" name="action" value="' . esc_attr(CHECK) . '">';
    wp_nonce_field(CHECK);
    submit_button(__('Ask the directory now', 'food-directory'), 'secondary');
    echo '</form>';
    echo '<h2>' . esc_html__('How to use it', 'food-directory') . '</h2>';
    echo '<p>' . esc_html__('Add the block “Food help near you”, or write this in a page:', 'food-directory') . '</p>';
    echo '<p><code>[food_directory zip="10002" mode="free" limit="5"]</code></p></div>';
}

function tell_service(): void
{
    $told = __('Your site asks this directory for places. Nothing is asked until a page has the block or the shortcode.', 'food-directory');
    echo '<p>' . esc_html($told) . '</p>';
}

/** @param array{name: string, label_for: string} $field */
function text_field(array $field): void
{
    $is_address = $field['name'] === 'address';
    printf(
        '<input class="regular-text" type="%1$s" id="%2$s" name="%3$s" value="%4$s" placeholder="%5$s">',
        $is_address ? 'url' : 'text',
        esc_attr($field['label_for']),
        esc_attr(OPTION . '[' . $field['name'] . ']'),
        esc_attr(settings()[$field['name']]),
        esc_attr($is_address ? 'https://food.example' : '')
    );
}

/** @param array{name: string, label_for: string} $field */
function number_field(array $field): void
{
    printf(
        '<input class="small-text" type="number" min="1" max="%1$d" id="%2$s" name="%3$s" value="%4$d">',
        $field['name'] === 'minutes' ? (int) MOST_MINUTES : (int) MOST_PLACES,
        esc_attr($field['label_for']),
        esc_attr(OPTION . '[' . $field['name'] . ']'),
        (int) settings()[$field['name']]
    );
}

/** @param array{name: string, label_for: string} $field */
function choice_field(array $field): void
{
    $labels = $field['name'] === 'mode' ? mode_words() : theme_words();
    printf('<select id="%1$s" name="%2$s">', esc_attr($field['label_for']), esc_attr(OPTION . '[' . $field['name'] . ']'));
    foreach ($labels as $value => $label) {
        $chosen = selected(settings()[$field['name']], $value, false);
        printf('<option value="%1$s"%2$s>%3$s</option>', esc_attr($value), $chosen, esc_html($label));
    }
    echo '</select>';
}

/** The button: asks the directory whether it is there, and tells what it said. */
function check_service(): void
{
    if (!current_user_can(MAY_SET)) {
        wp_die(esc_html__('You may not do this.', 'food-directory'), '', ['response' => 403]);
    }
    check_admin_referer(CHECK);
    delete_transient(PAUSE);
    $said = asked(settings()['address'] . '/api/health');
    $result = $said['code'] === 200 && is_array($said['body']) ? 'yes' : 'no';
    wp_safe_redirect(add_query_arg(['page' => PAGE, 'answers' => $result], admin_url('options-general.php')));
    exit;
}

function show_result_of_check(): void
{
    // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- only chooses between two fixed texts.
    $result = isset($_GET['answers']) ? sanitize_key($_GET['answers']) : '';
    if ($result === 'yes') {
        $told = __('The directory answers.', 'food-directory');
    } elseif ($result === 'no') {
        $told = __('The directory does not answer. Check the address. Pages show the last list they got.', 'food-directory');
    } else {
        return;
    }
    $kind = $result === 'yes' ? 'notice-success' : 'notice-error';
    echo '<div class="notice ' . esc_attr($kind) . '"><p>' . esc_html($told) . '</p></div>';
}
