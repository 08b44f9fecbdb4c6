<?php

/**
 * What can be set, and which values are taken.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const OPTION = 'food_directory_settings';
const MODES = ['free', 'snap', 'school', 'summer', 'wic', 'health'];
const THEMES = ['auto', 'light', 'dark'];
const MOST_PLACES = 20;
const MOST_MINUTES = 1440;
const MOST_TEXT = 100;
const DEFAULTS = [
    'address' => '',
    'zip' => '',
    'mode' => 'free',
    'theme' => 'auto',
    'limit' => 5,
    'minutes' => 10,
];

/**
 * The settings in force; what is missing or damaged in the database has its usual value.
 *
 * @return array{address: string, zip: string, mode: string, theme: string, limit: int, minutes: int}
 */
function settings(): array
{
    $stored = get_option(OPTION, []);
    return cleaned(is_array($stored) ? $stored : [], DEFAULTS);
}

/**
 * Values that keep the rules; in place of any other the one of `$instead`.
 *
 * @param array $given   Any values, by name.
 * @param array $instead All values, by name.
 */
function cleaned(array $given, array $instead): array
{
    $zip = isset($given['zip']) && is_scalar($given['zip']) ? place_text((string) $given['zip']) : $instead['zip'];
    return [
        'address' => isset($given['address']) ? service_address($given['address'], $instead['address']) : $instead['address'],
        'zip' => $zip,
        'mode' => one_of($given['mode'] ?? null, MODES, $instead['mode']),
        'theme' => one_of($given['theme'] ?? null, THEMES, $instead['theme']),
        'limit' => whole_number($given['limit'] ?? null, 1, MOST_PLACES, $instead['limit']),
        'minutes' => whole_number($given['minutes'] ?? null, 1, MOST_MINUTES, $instead['minutes']),
    ];
}

/**
 * `https://food.example` of an address with or without a path; the other address where it is none.
 *
 * @param mixed $given
 */
function service_address($given, string $instead): string
{
    $text = is_string($given) ? trim($given) : '';
    if ($text === '') {
        return '';
    }
    $parts = wp_parse_url(esc_url_raw($text, ['http', 'https']));
    if (!is_array($parts) || empty($parts['host']) || isset($parts['user'])) {
        return $instead;
    }
    $port = isset($parts['port']) ? ':' . $parts['port'] : '';
    return ($parts['scheme'] ?? 'https') . '://' . strtolower($parts['host']) . $port;
}

/** A ZIP code, or a city and state, on one line. */
function place_text(string $given): string
{
    $text = sanitize_text_field($given);
    return function_exists('mb_substr') ? mb_substr($text, 0, MOST_TEXT, 'UTF-8') : substr($text, 0, MOST_TEXT);
}

/**
 * @param mixed    $given
 * @param string[] $allowed
 */
function one_of($given, array $allowed, string $instead): string
{
    return is_string($given) && in_array($given, $allowed, true) ? $given : $instead;
}

/** @param mixed $given */
function whole_number($given, int $least, int $most, int $instead): int
{
    if (!is_scalar($given) || !preg_match('/\A\d{1,6}\z/', (string) $given)) {
        return $instead;
    }
    return max($least, min((int) $given, $most));
}

/** @param mixed $given "1", "true", "yes" and true mean yes; nothing at all means what is usual. */
function is_yes($given, bool $usual): bool
{
    if ($given === null || $given === '') {
        return $usual;
    }
    return $given === true || in_array(strtolower((string) $given), ['1', 'true', 'yes', 'on'], true);
}
