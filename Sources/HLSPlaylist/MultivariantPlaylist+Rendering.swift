extension MultivariantPlaylist {
    /// The playlist as UTF-8 text, a line feed after each line.
    package func rendered() -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:\(version)\n"
        if hasIndependentSegments { text += "#EXT-X-INDEPENDENT-SEGMENTS\n" }
        for rendition in renditions { text += "#EXT-X-MEDIA:\(rendition.attributes)\n" }
        for variant in variants { text += "#EXT-X-STREAM-INF:\(variant.attributes)\n\(variant.uri)\n" }
        return text
    }
}

extension Rendition {
    fileprivate var attributes: String {
        var list = AttributeListWriter()
        list.add("TYPE", enumerated: type.rawValue)
        list.add("GROUP-ID", quoted: groupID)
        list.add("NAME", quoted: name)
        if let language { list.add("LANGUAGE", quoted: language) }
        list.add("DEFAULT", enumerated: isDefault ? "YES" : "NO")
        list.add("AUTOSELECT", enumerated: isAutoselect || isDefault ? "YES" : "NO")
        if let channels { list.add("CHANNELS", quoted: String(channels)) }
        if let uri { list.add("URI", quoted: uri) }
        return list.text
    }
}

extension VariantStream {
    fileprivate var attributes: String {
        var list = AttributeListWriter()
        list.add("BANDWIDTH", enumerated: String(bandwidth))
        if let averageBandwidth { list.add("AVERAGE-BANDWIDTH", enumerated: String(averageBandwidth)) }
        list.add("CODECS", quoted: codecs.joined(separator: ","))
        if let resolution { list.add("RESOLUTION", enumerated: "\(resolution.width)x\(resolution.height)") }
        if let frameRate { list.add("FRAME-RATE", enumerated: Self.threeDecimals(frameRate)) }
        if let audioGroupID { list.add("AUDIO", quoted: audioGroupID) }
        return list.text
    }

    /// §4.4.6.2 asks for three decimals.
    private static func threeDecimals(_ value: Double) -> String {
        let thousandths = value.isFinite && value > 0 ? Int(exactly: (value * 1_000).rounded()) ?? 0 : 0
        let fraction = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

/// Writes an attribute list (§4.2).
private struct AttributeListWriter {
    private(set) var text = ""

    mutating func add(_ name: String, enumerated value: String) {
        if !text.isEmpty { text += "," }
        text += "\(name)=\(value)"
    }

    /// A quoted string holds no quotation mark and no line end (§4.2), so those become what looks most alike.
    mutating func add(_ name: String, quoted value: String) {
        let safe = String(value.unicodeScalars.map { $0 == "\"" ? "'" : $0.value < 0x20 ? " " : Character($0) })
        add(name, enumerated: "\"\(safe)\"")
    }
}
