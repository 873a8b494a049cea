package import JSONDocument

/// The table of `antena channel list`.
package enum ConfigurationTables {
    /// - Parameter channels: channels as in `channels.json`.
    package static func channels(_ channels: [JSONNode]) -> String {
        var table = TextTable("NAME", "TITLE", "DEFAULT PRESET", "PRESETS", "AUDIENCE")
        for channel in channels {
            let presets = (channel["presets"]?.elements ?? []).compactMap(\.string).joined(separator: ",")
            table.add(
                channel.text("name"), TextTable.short(channel.text("title")), channel.text("defaultPreset"),
                TextTable.short(presets), channel.text("audience"))
        }
        return table.isEmpty ? "no channels" : table.text
    }
}
