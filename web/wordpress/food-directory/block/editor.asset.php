<?php

/**
 * What the editor's script needs; WordPress reads this beside the script.
 *
 * @package FoodDirectory
 */

defined('ABSPATH') || exit;

return [
    'dependencies' => ['wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render'],
    'version' => '1.0.0',
];
