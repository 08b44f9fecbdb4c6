/* The block in the editor: choices at the side, and the list as the server makes it. No build step. */
(function (blocks, blockEditor, components, element, i18n, ServerSideRender) {
	'use strict';

	var el = element.createElement;
	var __ = i18n.__;

	function choices(usual, pairs) {
		return [{ value: '', label: usual }].concat(pairs.map(function (pair) {
			return { value: pair[0], label: pair[1] };
		}));
	}

	function edit(props) {
		var attributes = props.attributes;
		var usual = __('As in the settings', 'food-directory');

		function changes(name) {
			return function (value) {
				var changed = {};
				changed[name] = value;
				props.setAttributes(changed);
			};
		}

		function select(name, label, options) {
			return el(components.SelectControl, {
				label: label, value: attributes[name], options: options, onChange: changes(name)
			});
		}

		function toggle(name, label) {
			return el(components.ToggleControl, {
				label: label, checked: attributes[name], onChange: changes(name)
			});
		}

		var panel = el(
			components.PanelBody, { title: __('What is shown', 'food-directory') },
			el(components.TextControl, {
				label: __('ZIP code, or city and state', 'food-directory'),
				help: __('Empty: as in the settings.', 'food-directory'),
				value: attributes.zip,
				onChange: changes('zip')
			}),
			select('mode', __('Kind of help', 'food-directory'), choices(usual, [
				['free', __('Free food', 'food-directory')],
				['snap', __('SNAP offices and stores', 'food-directory')],
				['school', __('School meals', 'food-directory')],
				['summer', __('Summer meals', 'food-directory')],
				['wic', __('WIC offices', 'food-directory')],
				['health', __('Health centers', 'food-directory')]
			])),
			el(components.RangeControl, {
				label: __('Number of places (0: as in the settings)', 'food-directory'),
				value: attributes.limit, min: 0, max: 20,
				onChange: function (value) { changes('limit')(value || 0); }
			}),
			select('lang', __('Language', 'food-directory'), [
				{ value: '', label: __('That of the site', 'food-directory') },
				{ value: 'en', label: 'English' },
				{ value: 'es', label: 'Español' }
			]),
			select('theme', __('Colors', 'food-directory'), choices(usual, [
				['auto', __('Those of the site', 'food-directory')],
				['light', __('Light', 'food-directory')],
				['dark', __('Dark', 'food-directory')]
			])),
			select('view', __('Form', 'food-directory'), [
				{ value: 'list', label: __('List made by this site', 'food-directory') },
				{ value: 'widget', label: __('Search of the directory in a frame', 'food-directory') }
			]),
			toggle('search', __('Readers may search another ZIP code', 'food-directory')),
			toggle('compact', __('Short: without address and hours', 'food-directory'))
		);

		return el(
			'div', blockEditor.useBlockProps(),
			el(blockEditor.InspectorControls, {}, panel),
			// What is shown must not be clicked while the page is written.
			el(components.Disabled, {}, el(ServerSideRender, { block: 'food-directory/places', attributes: attributes }))
		);
	}

	blocks.registerBlockType('food-directory/places', {
		edit: edit,
		save: function () { return null; }
	});
})(wp.blocks, wp.blockEditor, wp.components, wp.element, wp.i18n, wp.serverSideRender);
