<?php

/**
 * One place as HTML: name, distance, open state, phone, directions, in this order on every page of the directory.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

// After this an open state is not shown any more: the place may have closed since.
const STATE_SECONDS = 30 * MINUTE_IN_SECONDS;
const SETTLING = ['open_today', 'closed_today', 'out_of_stock'];
const SOLD = ['snap_retailer', 'rmp_restaurant', 'farmers_market'];

/**
 * @param array $place    A place of the directory.
 * @param array $listing  `address`, `asked_at`, `is_compact`, `level` (rank of the heading), `language`.
 */
function place_html(array $place, array $listing): string
{
    $path = ($listing['language'] === 'es' ? '/es/place/' : '/place/') . (int) $place['id'];
    $level = (int) $listing['level'];
    $lines = [
        sprintf(
            '<h%1$d class="food-directory__name"><a href="%2$s">%3$s</a></h%1$d>',
            $level,
            esc_url($listing['address'] . $path),
            esc_html($place['name'])
        ),
        paragraph('where', where_html($place)),
        paragraph('state', state_html($place, $listing['asked_at'])),
        paragraph('doubt', esc_html(text_of((array) ($place['doubt'] ?? []), $listing['language'] === 'es' ? 'es' : 'en') ?? '')),
        paragraph('actions', actions_html($place)),
    ];
    if (!$listing['is_compact']) {
        $lines[] = paragraph('address', esc_html(address_of($place)));
        $hours = hours_in_words($place);
        if ($hours !== '') {
            /* translators: %s: hours of a place. */
            $lines[] = paragraph('hours', esc_html(sprintf(__('Hours as published: %s', 'food-directory'), $hours)));
        }
        $lines[] = paragraph('website', website_html($place));
    }
    [$age, $is_doubtful] = age_of($place, $listing['asked_at']);
    $lines[] = paragraph($is_doubtful ? 'doubt' : 'age', esc_html($age));
    foreach (notes_of($place) as $note) {
        $lines[] = paragraph('doubt', esc_html($note));
    }
    return '<li class="food-directory__place">' . implode('', $lines) . '</li>';
}

/** A paragraph of HTML that is escaped already; nothing where it is empty. */
function paragraph(string $kind, string $html): string
{
    return $html === '' ? '' : '<p class="food-directory__' . esc_attr($kind) . '">' . $html . '</p>';
}

function where_html(array $place): string
{
    $parts = [];
    $miles = text_of($place, 'distance_miles');
    if ($miles !== null) {
        /* translators: %s: number of miles. */
        $told = sprintf(_n('%s mile away', '%s miles away', (float) $miles === 1.0 ? 1 : 2, 'food-directory'), $miles);
        $parts[] = '<strong>' . esc_html($told) . '</strong>';
    }
    $type = type_words()[text_of($place, 'resource_type') ?? ''] ?? '';
    if ($type !== '') {
        $parts[] = esc_html($type);
    }
    return implode(' · ', $parts);
}

/** The report of the last day, and the state by the hours while it can be trusted; each with its time. */
function state_html(array $place, int $asked_at): string
{
    $report = report_of($place);
    $told = $report ? report_html($report, zone_of($place)) : '';
    $is_settled = $report && !empty($report['is_confirmed']) && in_array($report['status'], SETTLING, true);
    if ($is_settled || time() - $asked_at > STATE_SECONDS) {
        return $told;
    }
    $status = text_of($place, 'hours_status') ?? 'unknown';
    if (!isset(state_words()[$status])) {
        return $told;
    }
    $as_of = instant_words($asked_at, zone_of($place));
    return trim($told . ' ' . sprintf(
        '<strong class="food-directory__chip is-%1$s">%2$s</strong> <small>%3$s</small>',
        esc_attr($status),
        esc_html(state_words()[$status]),
        /* translators: %s: date and time. */
        esc_html(sprintf(__('as of %s', 'food-directory'), $as_of))
    ));
}

/** The report of the place, while it holds. */
function report_of(array $place): ?array
{
    $report = $place['live_status'] ?? null;
    if (!is_array($report) || !isset(report_words()[$report['status'] ?? ''])) {
        return null;
    }
    $ends = strtotime((string) ($report['expires_at'] ?? ''));
    return $ends !== false && time() < $ends ? $report : null;
}

function report_html(array $report, \DateTimeZone $zone): string
{
    $who = empty($report['is_confirmed'])
        ? __('reported, not confirmed', 'food-directory')
        : __('reported by the place', 'food-directory');
    $at = strtotime((string) ($report['reported_at'] ?? ''));
    $when = $at === false ? '' : ', ' . instant_words($at, $zone);
    $notes = trim((string) text_of($report, 'notes'));
    return sprintf(
        '<strong class="food-directory__chip is-%1$s">%2$s</strong> <small>(%3$s)</small>%4$s',
        esc_attr($report['status']),
        esc_html(report_words()[$report['status']]),
        esc_html($who . $when),
        $notes === '' ? '' : ' ' . esc_html($notes)
    );
}

function actions_html(array $place): string
{
    $named = '<span class="screen-reader-text"> (' . esc_html($place['name']) . ')</span>';
    $links = [];
    $number = text_of($place, 'phone_e164') ?? '';
    if (preg_match('/\A\+\d{6,15}\z/', $number)) {
        $shown = text_of($place, 'phone') ?? $number;
        $extension = preg_match('/ ext\. (\d{1,8})\z/', $shown, $found) ? ';ext=' . $found[1] : '';
        $links[] = sprintf(
            '<a class="food-directory__button" href="%1$s">%2$s%3$s</a>',
            esc_attr('tel:' . $number . $extension),
            /* translators: %s: telephone number. */
            esc_html(sprintf(__('Call %s', 'food-directory'), $shown)),
            $named
        );
    }
    if (text_of($place, 'address')) {
        $route = ['api' => '1', 'destination' => address_of($place)];
        $links[] = sprintf(
            '<a class="food-directory__button" href="%1$s" rel="external nofollow noopener">%2$s%3$s</a>',
            esc_url('https://www.google.com/maps/dir/?' . http_build_query($route, '', '&')),
            esc_html__('Directions', 'food-directory'),
            $named
        );
    }
    return implode(' ', $links);
}

/** One line; the town only where the street is not listed. */
function address_of(array $place): string
{
    $region = trim(text_of($place, 'state') . ' ' . text_of($place, 'zip'));
    $parts = [text_of($place, 'address'), text_of($place, 'city'), $region];
    return implode(', ', array_filter($parts, static function (?string $part): bool {
        return $part !== null && $part !== '';
    }));
}

function website_html(array $place): string
{
    $address = esc_url(text_of($place, 'website') ?? '', ['http', 'https']);
    if ($address === '') {
        return '';
    }
    $named = '<span class="screen-reader-text"> (' . esc_html($place['name']) . ')</span>';
    return '<a href="' . $address . '" rel="external nofollow noopener">' . esc_html__('Website', 'food-directory') . $named . '</a>';
}

/**
 * How old the hours are, as a date: it stays true however long the page is kept.
 *
 * @return array{string, bool} The words, and whether to call first.
 */
function age_of(array $place, int $asked_at): array
{
    if (hours_in_words($place) === '') {
        return [__('Hours not known: call first.', 'food-directory'), true];
    }
    $usual = $place['usual_hours']['summary'] ?? null;
    if (is_array($usual) && is_string($usual[language_of_site() === 'es' ? 'es' : 'en'] ?? null)) {
        return [$usual[language_of_site() === 'es' ? 'es' : 'en'], true];
    }
    // The strongest of the dates is named; only a confirmation is called one.
    $dated = [
        /* translators: %s: date. */
        'confirmed_date' => __('Hours confirmed %s.', 'food-directory'),
        /* translators: %s: date. */
        'updated_date' => __('Hours updated by the publisher %s.', 'food-directory'),
        /* translators: %s: date. */
        'listed_date' => __('Hours listed %s.', 'food-directory'),
    ];
    foreach ($dated as $name => $words) {
        $at = strtotime((string) text_of($place, $name) . ' 12:00 UTC');
        if ($at !== false && text_of($place, $name) !== '') {
            $told = sprintf($words, date_words($at, zone_of($place)));
            if (time() - $at > STALE_DAYS * DAY_IN_SECONDS) {
                return [$told . ' ' . __('That is long ago: call first.', 'food-directory'), true];
            }
            return [$told, false];
        }
    }
    return [__('No source dates these hours: call first.', 'food-directory'), true];
}

/** @return string[] */
function notes_of(array $place): array
{
    $notes = [];
    if (in_array($place['resource_type'] ?? '', SOLD, true)) {
        $notes[] = __('Food is sold here, not given away. SNAP (EBT) is accepted.', 'food-directory');
    }
    if (!empty($place['requires_appointment'])) {
        $notes[] = __('By appointment. Call first.', 'food-directory');
    }
    if (!text_of($place, 'address')) {
        $notes[] = __('The street address is not listed. Call first.', 'food-directory');
    }
    return $notes;
}
