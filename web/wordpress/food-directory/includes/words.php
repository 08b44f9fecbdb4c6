<?php

/**
 * Words in the language of the reader. Spanish comes with the plugin, for every Spanish locale.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const DOMAIN = 'food-directory';

/** Loads a translation installed by WordPress; else the Spanish one of the plugin on a Spanish site. */
function load_words(): void
{
    load_plugin_textdomain(DOMAIN, false, dirname(plugin_basename(FILE)) . '/languages');
    if (language_of_site() === 'es' && !is_textdomain_loaded(DOMAIN)) {
        load_textdomain(DOMAIN, spanish_file('.mo'));
    }
}

function language_of_site(): string
{
    return substr(determine_locale(), 0, 2);
}

function spanish_file(string $ending): string
{
    return dirname(FILE) . '/languages/food-directory-es' . $ending;
}

/**
 * What a function makes, with the words of a language (`en`, `es`; empty: that of the site).
 *
 * @param callable(): string $make
 */
function in_language(string $language, callable $make): string
{
    if ($language === '' || $language === language_of_site()) {
        return $make();
    }
    unload_textdomain(DOMAIN);
    if ($language === 'es') {
        load_textdomain(DOMAIN, spanish_file('.mo'));
    }
    try {
        return $make();
    } finally {
        unload_textdomain(DOMAIN);
        load_words();
    }
}

/**
 * The words of the editor's script: one Spanish file for all Spanish locales.
 *
 * @param string|false $file
 * @param string       $handle
 * @param string       $domain
 * @return string|false
 */
function file_of_script_words($file, $handle, $domain)
{
    $is_ours = $domain === DOMAIN && language_of_site() === 'es';
    return $is_ours && (!$file || !is_readable($file)) ? spanish_file('.json') : $file;
}

/** @return array<string, string> */
function mode_words(): array
{
    return [
        'free' => __('Free food', 'food-directory'),
        'snap' => __('SNAP offices and stores', 'food-directory'),
        'school' => __('School meals', 'food-directory'),
        'summer' => __('Summer meals', 'food-directory'),
        'wic' => __('WIC offices', 'food-directory'),
        'health' => __('Health centers', 'food-directory'),
    ];
}

/** @return array<string, string> */
function theme_words(): array
{
    return [
        'auto' => __('Those of the site', 'food-directory'),
        'light' => __('Light', 'food-directory'),
        'dark' => __('Dark', 'food-directory'),
    ];
}

/** @return array<string, string> Types of places that the directory knows today; a new one is shown without its type. */
function type_words(): array
{
    return [
        'food_pantry' => __('Food pantry', 'food-directory'),
        'food_bank' => __('Food bank', 'food-directory'),
        'soup_kitchen' => __('Soup kitchen', 'food-directory'),
        'mobile_pantry' => __('Mobile pantry', 'food-directory'),
        'community_fridge' => __('Community fridge', 'food-directory'),
        'emergency' => __('Emergency food', 'food-directory'),
        'wic_office' => __('WIC office', 'food-directory'),
        'snap_office' => __('SNAP office', 'food-directory'),
        'school_meal' => __('School meal site', 'food-directory'),
        'summer_meal' => __('Summer meal site', 'food-directory'),
        'health_center' => __('Community health center', 'food-directory'),
        'tribal_food' => __('Tribal food program', 'food-directory'),
        'senior_commodity' => __('Senior food box', 'food-directory'),
        'rmp_restaurant' => __('Restaurant that takes EBT from older, disabled or homeless people', 'food-directory'),
        'head_start' => __('Head Start center', 'food-directory'),
        'diaper_bank' => __('Diaper bank', 'food-directory'),
        'mental_health_facility' => __('Mental health care', 'food-directory'),
        'ryan_white_provider' => __('HIV care (Ryan White)', 'food-directory'),
        'opioid_treatment' => __('Opioid treatment program', 'food-directory'),
        'rural_health_clinic' => __('Rural health clinic', 'food-directory'),
        'snap_retailer' => __('Store that takes EBT', 'food-directory'),
        'farmers_market' => __('Farmers market', 'food-directory'),
    ];
}

/** @return array<string, string> */
function state_words(): array
{
    return [
        'open' => __('Open', 'food-directory'),
        'closed' => __('Closed', 'food-directory'),
        'closes_soon' => __('Closes within the hour', 'food-directory'),
        'opens_soon' => __('Opens within the hour', 'food-directory'),
        'unknown' => __('Not known whether open: call first', 'food-directory'),
    ];
}

/** @return array<string, string> */
function report_words(): array
{
    return [
        'open_today' => __('Open today', 'food-directory'),
        'closed_today' => __('Closed today', 'food-directory'),
        'running_late' => __('Running late', 'food-directory'),
        'low_stock' => __('Low on food', 'food-directory'),
        'out_of_stock' => __('Out of food', 'food-directory'),
        'other' => __('Notice', 'food-directory'),
    ];
}

/** @return array<string, string> By their names in RFC 5545. */
function day_words(): array
{
    return [
        'MO' => __('Monday', 'food-directory'),
        'TU' => __('Tuesday', 'food-directory'),
        'WE' => __('Wednesday', 'food-directory'),
        'TH' => __('Thursday', 'food-directory'),
        'FR' => __('Friday', 'food-directory'),
        'SA' => __('Saturday', 'food-directory'),
        'SU' => __('Sunday', 'food-directory'),
    ];
}

/** @return array<int, string> */
function month_words(): array
{
    return [
        1 => __('January', 'food-directory'),
        2 => __('February', 'food-directory'),
        3 => __('March', 'food-directory'),
        4 => __('April', 'food-directory'),
        5 => __('May', 'food-directory'),
        6 => __('June', 'food-directory'),
        7 => __('July', 'food-directory'),
        8 => __('August', 'food-directory'),
        9 => __('September', 'food-directory'),
        10 => __('October', 'food-directory'),
        11 => __('November', 'food-directory'),
        12 => __('December', 'food-directory'),
    ];
}
