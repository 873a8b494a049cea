extension MultivariantPlaylist {
    /// The playlist as UTF-8 text, with a line feed after each line.
    package func rendered() -> String {
        var writer = PlaylistWriter()
        writer.tag("#EXTM3U")
        writer.tag("#EXT-X-VERSION", version)
        if hasIndependentSegments { writer.tag("#EXT-X-INDEPENDENT-SEGMENTS") }
        for data in sessionData {
            writer.tag("#EXT-X-SESSION-DATA") { list in
                list.attribute("DATA-ID", quoted: data.id)
                list.attribute("URI", uri: data.uri)
            }
        }
        for rendition in renditions { rendition.write(into: &writer) }
        for variant in variants { variant.write(into: &writer) }
        for variant in iFrameVariants { variant.write(into: &writer) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Rendition {
    fileprivate func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-MEDIA") { list in
            list.attribute("TYPE", enumerated: type.rawValue)
            list.attribute("GROUP-ID", quoted: groupID)
            list.attribute("NAME", quoted: name)
            if let language { list.attribute("LANGUAGE", quoted: language) }
            list.attribute("DEFAULT", enumerated: isDefault ? "YES" : "NO")
            list.attribute("AUTOSELECT", enumerated: isAutoselect || isDefault ? "YES" : "NO")
            if let inStreamID { list.attribute("INSTREAM-ID", quoted: inStreamID) }
            if isForced { list.attribute("FORCED", enumerated: "YES") }
            if !characteristics.isEmpty {
                list.attribute("CHARACTERISTICS", quoted: characteristics.joined(separator: ","))
            }
            if let channels { list.attribute("CHANNELS", quoted: String(channels)) }
            if let uri { list.attribute("URI", uri: uri) }
        }
    }
}

extension VariantStream {
    fileprivate func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-STREAM-INF") { list in
            list.attribute("BANDWIDTH", integer: bandwidth)
            if let averageBandwidth { list.attribute("AVERAGE-BANDWIDTH", integer: averageBandwidth) }
            list.attribute("CODECS", quoted: codecs.joined(separator: ","))
            if let resolution { list.attribute("RESOLUTION", enumerated: resolution.attributeValue) }
            if let frameRate { list.attribute("FRAME-RATE", enumerated: Self.threeDecimals(frameRate)) }
            if let videoRange { list.attribute("VIDEO-RANGE", enumerated: videoRange) }
            if let audioGroupID { list.attribute("AUDIO", quoted: audioGroupID) }
            if let subtitlesGroupID { list.attribute("SUBTITLES", quoted: subtitlesGroupID) }
            if let closedCaptionsGroupID { list.attribute("CLOSED-CAPTIONS", quoted: closedCaptionsGroupID) }
        }
        writer.uri(uri)
        writer.endLine()
    }

    /// Formats a frame rate with three decimals, as rfc8216bis §4.4.6.2 requires.
    private static func threeDecimals(_ value: Double) -> String {
        let thousandths = value.isFinite && value > 0 ? Int(exactly: (value * 1_000).rounded()) ?? 0 : 0
        let fraction = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension VariantStream.Resolution {
    fileprivate var attributeValue: String { "\(width)x\(height)" }
}

extension IFrameVariantStream {
    fileprivate func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-I-FRAME-STREAM-INF") { list in
            list.attribute("BANDWIDTH", integer: bandwidth)
            if let averageBandwidth { list.attribute("AVERAGE-BANDWIDTH", integer: averageBandwidth) }
            list.attribute("CODECS", quoted: codecs.joined(separator: ","))
            if let resolution { list.attribute("RESOLUTION", enumerated: resolution.attributeValue) }
            if let videoRange { list.attribute("VIDEO-RANGE", enumerated: videoRange) }
            list.attribute("URI", uri: uri)
        }
    }
}
