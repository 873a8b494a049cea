extension MultivariantPlaylist {
    /// Parses a playlist that ``rendered()`` has written, or another server's playlist as far as it uses the same
    /// tags.
    package init(parsing text: String) throws(PlaylistParsingError) {
        self.init(version: 1, hasIndependentSegments: false)
        var pending: VariantStream?
        for (number, line) in try PlaylistLines(text).lines {
            switch line {
            case .uri(let uri):
                guard var variant = pending else {
                    throw PlaylistParsingError(line: number, "a URI without EXT-X-STREAM-INF")
                }
                variant.uri = uri
                variants.append(variant)
                pending = nil
            case .tag("EXT-X-VERSION", let value):
                guard let number = Int(value) else {
                    throw PlaylistParsingError(line: number, "not a version: \(value)")
                }
                version = number
            case .tag("EXT-X-INDEPENDENT-SEGMENTS", _):
                hasIndependentSegments = true
            case .tag("EXT-X-MEDIA", let value):
                renditions.append(try Rendition(AttributeList(value, line: number), line: number))
            case .tag("EXT-X-STREAM-INF", let value):
                pending = try VariantStream(AttributeList(value, line: number), line: number)
            case .tag("EXT-X-SESSION-DATA", let value):
                let attributes = try AttributeList(value, line: number)
                if let uri = attributes["URI"] {
                    sessionData.append(SessionData(id: try attributes.required("DATA-ID", line: number), uri: uri))
                }
            case .tag("EXT-X-I-FRAME-STREAM-INF", let value):
                iFrameVariants.append(try IFrameVariantStream(AttributeList(value, line: number), line: number))
            case .tag: break
            }
        }
    }
}

extension Rendition {
    fileprivate init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        let typeName = try attributes.required("TYPE", line: line)
        guard let type = RenditionType(rawValue: typeName) else {
            throw PlaylistParsingError(line: line, "TYPE \(typeName) is unknown")
        }
        self.init(
            type: type, groupID: try attributes.required("GROUP-ID", line: line),
            name: try attributes.required("NAME", line: line), language: attributes["LANGUAGE"],
            isDefault: attributes["DEFAULT"] == "YES", isAutoselect: attributes["AUTOSELECT"] == "YES",
            channels: attributes["CHANNELS"].flatMap { Int($0.prefix { $0 != "/" }) }, uri: attributes["URI"],
            isForced: attributes["FORCED"] == "YES",
            characteristics: attributes["CHARACTERISTICS"]?.split(separator: ",").map(String.init) ?? [])
        inStreamID = attributes["INSTREAM-ID"]
    }
}

extension VariantStream {
    fileprivate init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        self.init(
            bandwidth: try attributes.bandwidth(line: line),
            averageBandwidth: attributes["AVERAGE-BANDWIDTH"].flatMap { Int($0) }, codecs: attributes.codecs,
            resolution: attributes.resolution, frameRate: attributes["FRAME-RATE"].flatMap { Double($0) },
            videoRange: attributes["VIDEO-RANGE"], audioGroupID: attributes["AUDIO"], uri: "")
        subtitlesGroupID = attributes["SUBTITLES"]
        closedCaptionsGroupID = attributes["CLOSED-CAPTIONS"].flatMap { $0 == "NONE" ? nil : $0 }
    }
}

extension IFrameVariantStream {
    fileprivate init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        self.init(
            bandwidth: try attributes.bandwidth(line: line),
            averageBandwidth: attributes["AVERAGE-BANDWIDTH"].flatMap { Int($0) }, codecs: attributes.codecs,
            resolution: attributes.resolution, videoRange: attributes["VIDEO-RANGE"],
            uri: try attributes.required("URI", line: line))
    }
}

extension AttributeList {
    fileprivate func bandwidth(line: Int) throws(PlaylistParsingError) -> Int {
        guard let bandwidth = Int(try required("BANDWIDTH", line: line)) else {
            throw PlaylistParsingError(line: line, "BANDWIDTH is not a whole number")
        }
        return bandwidth
    }

    fileprivate var codecs: [String] { self["CODECS"]?.split(separator: ",").map(String.init) ?? [] }

    fileprivate var resolution: VariantStream.Resolution? {
        guard let sides = self["RESOLUTION"]?.split(separator: "x").compactMap({ Int($0) }), sides.count == 2 else {
            return nil
        }
        return VariantStream.Resolution(width: sides[0], height: sides[1])
    }
}
