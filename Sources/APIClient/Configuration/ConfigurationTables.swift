package import APIContract
package import APIDeclarations
import JSONDocument

/// The table of `antena channel list`.
package enum ConfigurationTables {
    /// - Parameters:
    ///   - channels: channels as in `channels.json`.
    ///   - nothing: the text instead of a table without rows.
    package static func channels(_ channels: [APIObject<ConfiguredChannelFields>], nothing: String) -> String {
        var table = TextTable("NAME", "TITLE", "DEFAULT PRESET", "PRESETS", "AUDIENCE")
        for channel in channels {
            table.add(
                channel.name.cell, TextTable.short(channel.title.cell), channel.defaultPreset.cell,
                TextTable.short((channel.presets ?? []).joined(separator: ",")),
                channel.audience.cell)
        }
        return table.isEmpty ? nothing : table.text
    }
}
