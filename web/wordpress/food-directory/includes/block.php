<?php

/**
 * The block and the shortcode. Both are made on the server by the same function.
 *
 * @package FoodDirectory
 */

namespace FoodDirectory;

defined('ABSPATH') || exit;

const STYLE = 'food-directory-places-style';

function register_block_and_shortcode(): void
{
    register_block_type_from_metadata(dirname(FILE) . '/block', [
        'render_callback' => __NAMESPACE__ . '\block_html',
    ]);
    add_shortcode('food_directory', __NAMESPACE__ . '\shortcode_html');
}

/** @param array|string $attributes */
function shortcode_html($attributes): string
{
    wp_enqueue_style(STYLE);
    return listing_html(shortcode_atts(ATTRIBUTES, is_array($attributes) ? $attributes : [], 'food_directory'));
}

function block_html(array $attributes): string
{
    return '<div ' . get_block_wrapper_attributes() . '>' . listing_html($attributes) . '</div>';
}
