<?php

/**
 * Hours, times and dates in words.
 *
 * Only plain weekly hours are put into words here. All others (the second Tuesday, a season, a holiday) are shown
 * as the place published them: a guess could send a family to a locked door.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const STALE_DAYS = 180;

/** The hours of a place in words; as published where they are not plain weekly ones; empty where there are none. */
function hours_in_words(array $place): string
{
    $spans = [];
    foreach (is_array($place['hours'] ?? null) ? $place['hours'] : [] as $rule) {
        $span = is_array($rule) ? weekly_words($rule) : '';
        if ($span === '') {
            $spans = [];
            break;
        }
        $spans[] = $span;
    }
    if ($spans) {
        return implode('; ', $spans);
    }
    return trim((string) text_of($place, 'hours_text'));
}

/** "Monday, Friday: 8 a.m. to 11 a.m."; empty where the rule is not a plain weekly one of one day. */
function weekly_words(array $rule): string
{
    $days = day_words();
    $names = explode(',', (string) ($rule['byday'] ?? ''));
    $is_plain = !array_diff(array_keys($rule), ['freq', 'byday', 'opens_at', 'closes_at'])
        && ($rule['freq'] ?? '') === 'WEEKLY' && !array_diff($names, array_keys($days));
    $opens = minutes_of($rule['opens_at'] ?? null);
    $closes = minutes_of($rule['closes_at'] ?? null);
    if (!$is_plain || $opens === null || $closes === null || $closes <= $opens) {
        return '';
    }
    $named = implode(', ', array_map(static function (string $day) use ($days): string {
        return $days[$day];
    }, $names));
    if ($opens === 0 && $closes === 1440) {
        /* translators: %s: days, for example "Monday, Friday". */
        return sprintf(__('%s: all day', 'food-directory'), $named);
    }
    /* translators: 1: days, 2: opening time, 3: closing time. */
    return sprintf(__('%1$s: %2$s to %3$s', 'food-directory'), $named, clock($opens), clock($closes));
}

/** @param mixed $text "09:30"; "24:00" is the midnight at the end of the day. */
function minutes_of($text): ?int
{
    if (!is_string($text) || !preg_match('/\A([01]\d|2[0-4]):([0-5]\d)\z/', $text, $found)) {
        return null;
    }
    $minutes = (int) $found[1] * 60 + (int) $found[2];
    return $minutes <= 1440 ? $minutes : null;
}

/** "9 a.m.", "12:30 p.m.", "noon", "midnight". */
function clock(int $minutes): string
{
    $minutes %= 1440;
    if ($minutes === 0) {
        return __('midnight', 'food-directory');
    }
    if ($minutes === 720) {
        return __('noon', 'food-directory');
    }
    $hour = intdiv($minutes, 60);
    $dial = (string) (($hour + 11) % 12 + 1) . ($minutes % 60 ? sprintf(':%02d', $minutes % 60) : '');
    /* translators: %s: time of day on a dial of twelve hours. */
    return sprintf($hour < 12 ? __('%s a.m.', 'food-directory') : __('%s p.m.', 'food-directory'), $dial);
}

/** "November 22, 2026" of an instant at a place. */
function date_words(int $at, \DateTimeZone $zone): string
{
    $day = (new \DateTimeImmutable('@' . $at))->setTimezone($zone);
    $month = month_words()[(int) $day->format('n')];
    /* translators: 1: month, 2: day of the month, 3: year. */
    return sprintf(__('%1$s %2$d, %3$d', 'food-directory'), $month, (int) $day->format('j'), (int) $day->format('Y'));
}

/** "November 22, 2026, 10:42 a.m." of an instant at a place. */
function instant_words(int $at, \DateTimeZone $zone): string
{
    $day = (new \DateTimeImmutable('@' . $at))->setTimezone($zone);
    $minutes = (int) $day->format('G') * 60 + (int) $day->format('i');
    return date_words($at, $zone) . ', ' . clock($minutes);
}

/** The time zone of a place; that of the site where it is not known. */
function zone_of(array $place): \DateTimeZone
{
    try {
        return new \DateTimeZone((string) text_of($place, 'timezone'));
    } catch (\Exception $unknown) {
        return wp_timezone();
    }
}

/** A member that is a text or a number; null where it is neither. */
function text_of(array $from, string $name): ?string
{
    $value = $from[$name] ?? null;
    return is_string($value) || is_int($value) || is_float($value) ? (string) $value : null;
}
