<?php

/**
 * Asks the directory, and keeps what it said.
 *
 * An answer is fresh for the minutes of the settings. Where the directory does not answer then, the last good
 * answer for a place that a page names is still there for a month, with the time at which it was given.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const KEPT = 'food_directory_kept_';
const PAUSE = 'food_directory_pause';
const KEPT_SECONDS = 30 * DAY_IN_SECONDS;
const PAUSE_SECONDS = MINUTE_IN_SECONDS;
// A reader waits for this at most once a minute while the directory is away.
const WAIT_SECONDS = 4;
const MOST_BYTES = 1000000;
// The members of a place that are shown: no other is stored.
const SHOWN = [
    'id',
    'name',
    'organization',
    'resource_type',
    'address',
    'city',
    'state',
    'zip',
    'timezone',
    'phone',
    'phone_e164',
    'website',
    'hours_text',
    'hours',
    'hours_status',
    'confirmed_date',
    'updated_date',
    'listed_date',
    'usual_hours',
    'live_status',
    'doubt',
    'distance_miles',
    'requires_appointment',
];

/**
 * The nearest places, or why there are none.
 *
 * @param array $asked        `address`, `zip`, `mode`, `limit`, `minutes` (see settings).
 * @param bool  $is_of_reader A reader typed the place: its answer is not kept for longer than it is fresh.
 * @return array{outcome: string, asked_at: int, answer: array} `outcome`: fresh, kept (the last good answer; the
 *         directory is away), unknown (no such place), away (no answer at all).
 */
function places_near(array $asked, bool $is_of_reader): array
{
    $question = ['zip' => $asked['zip'], 'mode' => $asked['mode'], 'limit' => $asked['limit']];
    $key = KEPT . md5($asked['address'] . '|' . implode('|', $question));
    $kept = get_transient($key);
    $is_kept = is_array($kept) && isset($kept['outcome'], $kept['asked_at'], $kept['answer']);
    if ($is_kept && time() - $kept['asked_at'] < $asked['minutes'] * MINUTE_IN_SECONDS) {
        return $kept;
    }
    if (get_transient(PAUSE) === false) {
        $told = told_of(asked($asked['address'] . '/api/resources/search?' . http_build_query($question, '', '&')));
        if ($told !== null) {
            $is_lasting = $told['outcome'] === 'fresh' && !$is_of_reader;
            set_transient($key, $told, $is_lasting ? KEPT_SECONDS : $asked['minutes'] * MINUTE_IN_SECONDS);
            return $told;
        }
        set_transient(PAUSE, 1, PAUSE_SECONDS);
    }
    if ($is_kept && $kept['outcome'] === 'fresh') {
        return ['outcome' => 'kept'] + $kept;
    }
    return ['outcome' => 'away', 'asked_at' => time(), 'answer' => []];
}

/**
 * An answer of the directory, cut down to what is shown; null where it is no answer.
 *
 * @param array{code: int, body: mixed} $said
 */
function told_of(array $said): ?array
{
    if ($said['code'] === 400 || $said['code'] === 404) {
        // Only the directory says so in this form: a wrong address must not look like an unknown place.
        $is_ours = is_array($said['body']) && isset($said['body']['errors']);
        return $is_ours ? ['outcome' => 'unknown', 'asked_at' => time(), 'answer' => []] : null;
    }
    $body = $said['body'];
    if ($said['code'] !== 200 || !is_array($body) || !is_array($body['resources'] ?? null)) {
        return null;
    }
    $places = [];
    foreach ($body['resources'] as $place) {
        if (is_array($place) && is_string($place['name'] ?? null) && is_int($place['id'] ?? null)) {
            $places[] = array_intersect_key($place, array_flip(SHOWN));
        }
    }
    $answer = [
        'places' => $places,
        'total' => (int) ($body['total_available'] ?? count($places)),
        'radius' => (float) ($body['search_radius_mi'] ?? 0),
        'is_expanded' => !empty($body['expanded']),
        'is_synthetic' => !empty($body['is_synthetic']),
        'location' => is_array($body['location'] ?? null) ? $body['location'] : [],
        'provider' => is_array($body['_data_provider'] ?? null) ? $body['_data_provider'] : [],
    ];
    return ['outcome' => 'fresh', 'asked_at' => time(), 'answer' => $answer];
}

/**
 * What an address of the directory says. The address is one that an administrator set.
 *
 * @return array{code: int, body: mixed} `code` 0 where nothing answered.
 */
function asked(string $address): array
{
    if (strpos($address, 'http') !== 0) {
        return ['code' => 0, 'body' => null];
    }
    $response = wp_remote_get($address, [
        'timeout' => WAIT_SECONDS,
        'redirection' => 3,
        'limit_response_size' => MOST_BYTES,
        // WordPress's own name for itself would tell the address of this site.
        'user-agent' => 'FoodDirectoryForWordPress/' . VERSION,
        'headers' => ['Accept' => 'application/json'],
    ]);
    if (is_wp_error($response)) {
        return ['code' => 0, 'body' => null];
    }
    $body = json_decode(wp_remote_retrieve_body($response), true, 64);
    return ['code' => (int) wp_remote_retrieve_response_code($response), 'body' => $body];
}
