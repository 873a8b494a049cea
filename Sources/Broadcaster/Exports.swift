// Sources, encodings and previews are types of LibAV: an application that embeds the broadcaster imports one module.
@_exported public import LibAV
