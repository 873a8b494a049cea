// Sources, encodings and previews are LibAV's values: whoever embeds the broadcaster imports one module.
@_exported public import LibAV
