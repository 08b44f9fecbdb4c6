<?php

/**
 * The list of places as HTML without JavaScript, or the search of the directory in a frame.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const ATTRIBUTES = [
    'zip' => '',
    'mode' => '',
    'theme' => '',
    'limit' => '',
    'lang' => '',
    'view' => 'list',
    'compact' => '',
    'search' => '',
    'heading' => '2',
];
const READER_ZIP = 'food_zip';

/**
 * What a block or shortcode shows. A value that breaks its rule counts as none: a typing error hides no food.
 *
 * @param array $attributes See ATTRIBUTES; what is missing is as in the settings.
 */
function listing_html(array $attributes): string
{
    $given = array_intersect_key($attributes, ATTRIBUTES) + ATTRIBUTES;
    $usual = settings();
    $asked = cleaned(array_filter($given, static function ($value): bool {
        return $value !== '' && $value !== null && $value !== 0;
    }), $usual);
    $asked = ['address' => $usual['address'], 'minutes' => $usual['minutes']] + $asked;
    $language = one_of($given['lang'], ['en', 'es'], '');
    return in_language($language, static function () use ($asked, $given, $language): string {
        if ($asked['address'] === '') {
            return without_address();
        }
        $asked['language'] = $language !== '' ? $language : language_of_site();
        $asked['is_compact'] = is_yes($given['compact'], false);
        $asked['level'] = whole_number($given['heading'], 2, 5, 2);
        $inner = $given['view'] === 'widget' ? frame_html($asked) : list_html($asked, is_yes($given['search'], true));
        $lang = $language !== '' ? ' lang="' . esc_attr($language) . '"' : '';
        return '<div class="food-directory food-directory--' . esc_attr($asked['theme']) . '"' . $lang . '>' . $inner . '</div>';
    });
}

function without_address(): string
{
    if (!current_user_can(MAY_SET)) {
        return paragraph('message', esc_html(help_words()));
    }
    $link = '<a href="' . esc_url(admin_url('options-general.php?page=' . PAGE)) . '">' . esc_html__('Settings', 'food-directory') . '</a>';
    return paragraph('message', esc_html__('The address of the food directory is not set yet.', 'food-directory') . ' ' . $link);
}

function help_words(): string
{
    return __('Call 211 for food help near you: free, day and night.', 'food-directory');
}

function list_html(array $asked, bool $has_form): string
{
    $reader_zip = $has_form ? zip_of_reader() : '';
    if ($reader_zip !== '') {
        $asked['zip'] = $reader_zip;
    }
    $said = $asked['zip'] === '' ? null : places_near($asked, $reader_zip !== '');
    $number = wp_unique_id('food-directory-');
    $title = sprintf('<h%1$d id="%2$s">%3$s</h%1$d>', $asked['level'], esc_attr($number), esc_html(title_of($asked, $said)));
    $form = $has_form ? form_html($number, $asked['zip']) : '';
    $found = $said === null ? '' : found_html($asked, $said);
    return '<section aria-labelledby="' . esc_attr($number) . '">' . $title . $form . $found
        . paragraph('help', esc_html(help_words())) . '</section>';
}

/** The ZIP code that the reader typed. Only five digits are taken, so that nobody fills the cache with words. */
function zip_of_reader(): string
{
    // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- a search changes nothing.
    $typed = isset($_GET[READER_ZIP]) && is_string($_GET[READER_ZIP]) ? trim(wp_unslash($_GET[READER_ZIP])) : '';
    return preg_match('/\A\d{5}\z/', $typed) ? $typed : '';
}

function title_of(array $asked, ?array $said): string
{
    $mode = mode_words()[$asked['mode']];
    $location = $said['answer']['location'] ?? [];
    $town = implode(', ', array_filter([text_of($location, 'city'), text_of($location, 'state')]));
    $place = trim($town . ' ' . text_of($location, 'zip'));
    if ($place === '') {
        return $mode;
    }
    /* translators: 1: kind of help, 2: place. */
    return sprintf(__('%1$s near %2$s', 'food-directory'), $mode, $place);
}

/** An ordinary form to the page itself; the parts of its address that name the page go along. */
function form_html(string $number, string $zip): string
{
    $action = (string) get_permalink();
    $hidden = '';
    wp_parse_str((string) wp_parse_url($action, PHP_URL_QUERY), $query);
    foreach ($query as $name => $value) {
        if (is_string($value) && $name !== READER_ZIP) {
            $hidden .= '<input type="hidden" name="' . esc_attr($name) . '" value="' . esc_attr($value) . '">';
        }
    }
    return sprintf(
        '<form class="food-directory__form" role="search" method="get" action="%1$s">%2$s<label for="%3$s">%4$s</label> '
        . '<input id="%3$s" name="%5$s" value="%6$s" inputmode="numeric" autocomplete="postal-code" pattern="[0-9]{5}" maxlength="5" size="7" required> '
        . '<button type="submit">%7$s</button></form>',
        esc_url($action),
        $hidden,
        esc_attr($number . '-zip'),
        esc_html__('ZIP code (five digits)', 'food-directory'),
        esc_attr(READER_ZIP),
        esc_attr(preg_match('/\A\d{5}\z/', $zip) ? $zip : ''),
        esc_html__('Search', 'food-directory')
    );
}

function found_html(array $asked, array $said): string
{
    $link = esc_url($asked['address'] . ($asked['language'] === 'es' ? '/es/search' : '/search') . '?' . http_build_query(
        ['q' => $asked['zip'], 'mode' => $asked['mode']],
        '',
        '&'
    ));
    $all = paragraph('all', '<a href="' . $link . '">' . esc_html__('See all places and more help', 'food-directory') . '</a>');
    if ($said['outcome'] === 'away') {
        return paragraph('doubt', esc_html__('The food directory does not answer at the moment. Try again later.', 'food-directory')) . $all;
    }
    if ($said['outcome'] === 'unknown') {
        /* translators: %s: what was searched for. */
        $told = sprintf(__('The food directory does not know the place “%s”.', 'food-directory'), $asked['zip']);
        return paragraph('doubt', esc_html($told)) . $all;
    }
    $answer = $said['answer'];
    $listing = ['asked_at' => $said['asked_at'], 'level' => $asked['level'] + 1] + $asked;
    $places = array_map(static function (array $place) use ($listing): string {
        return place_html($place, $listing);
    }, $answer['places']);
    return old_html($said) . synthetic_html($answer) . paragraph('found', esc_html(found_words($answer)))
        . ($places ? '<ul class="food-directory__places">' . implode('', $places) . '</ul>' : '')
        . $all . provider_html($answer, $asked['address'], $said['asked_at']);
}

function old_html(array $said): string
{
    if ($said['outcome'] !== 'kept') {
        return '';
    }
    $at = instant_words($said['asked_at'], wp_timezone());
    /* translators: %s: date and time. */
    $told = __('This list is of %s: the food directory does not answer at the moment. Call before you go.', 'food-directory');
    return paragraph('doubt', esc_html(sprintf($told, $at)));
}

function synthetic_html(array $answer): string
{
    return $answer['is_synthetic']
        ? paragraph('doubt', esc_html__('These places are invented: demonstration data.', 'food-directory'))
        : '';
}

function found_words(array $answer): string
{
    $radius = (string) round($answer['radius']);
    if (!$answer['places']) {
        /* translators: %s: number of miles. */
        return sprintf(__('Nothing is listed within %s miles.', 'food-directory'), $radius);
    }
    if ($answer['is_expanded']) {
        return __('Nothing is listed nearby. These places are farther away.', 'food-directory');
    }
    /* translators: 1: number of places, 2: number of miles. */
    $told = _n('%1$s place within %2$s miles.', '%1$s places within %2$s miles. The nearest first.', $answer['total'], 'food-directory');
    return sprintf($told, number_format_i18n($answer['total']), $radius);
}

/** Who gives the data, under which licence, and when: the licence asks for this. */
function provider_html(array $answer, string $address, int $asked_at): string
{
    $name = text_of($answer['provider'], 'name') ?? (string) wp_parse_url($address, PHP_URL_HOST);
    $license = text_of($answer['provider'], 'license');
    $link = '<a href="' . esc_url($address . '/') . '">' . esc_html($name) . '</a>';
    $told = sprintf(
        /* translators: 1: name of the directory, 2: date and time. */
        esc_html__('Listings by %1$s (asked %2$s).', 'food-directory'),
        $link,
        esc_html(instant_words($asked_at, wp_timezone()))
    );
    /* translators: %s: name of a licence. */
    return paragraph('provider', $told . ($license ? ' ' . esc_html(sprintf(__('License of the data: %s.', 'food-directory'), $license)) : ''));
}

/** The search of the directory itself: the only thing here that a reader's browser loads from there. */
function frame_html(array $asked): string
{
    $options = [
        'zip' => $asked['zip'],
        'mode' => $asked['mode'],
        'theme' => $asked['theme'] === 'auto' ? '' : $asked['theme'],
        'limit' => $asked['limit'],
        'compact' => $asked['is_compact'] ? '1' : '',
        'lang' => $asked['language'] === 'es' ? 'es' : '',
    ];
    $path = $asked['address'] . '/embed/widget?' . http_build_query(array_filter($options), '', '&');
    return sprintf(
        '<iframe class="food-directory__frame" src="%1$s" title="%2$s" width="100%%" height="500" loading="lazy" referrerpolicy="no-referrer"></iframe>',
        esc_url($path),
        esc_attr__('Food help near you', 'food-directory')
    ) . paragraph('all', '<a href="' . esc_url($path) . '">' . esc_html__('Open the search on its own page', 'food-directory') . '</a>');
}
