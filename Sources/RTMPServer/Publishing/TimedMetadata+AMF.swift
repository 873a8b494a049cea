import HLSPlaylist
import LiveChannels
import RTMPProtocol

extension TimedMetadata {
    /// Length of an event, in seconds: it is a moment.
    private static let moment = 0.0
    /// The names by which encoders send events and captions, and the class of each.
    private static let classes = [
        "onCuePoint": "rtmp.cuepoint", "onTextData": "rtmp.text", "onCaption": "rtmp.caption",
        "onCaptionInfo": "rtmp.caption",
    ]

    /// - Parameters:
    ///   - name: the name of a data message.
    ///   - values: its values, of which the first holds the fields.
    /// - Returns: `nil` for a message that is no event, or has no field that can stand in a playlist.
    init?(event name: String, _ values: [AMF0Value]) {
        guard let rangeClass = Self.classes[name], let first = values.first else { return nil }
        var attributes: [DateRange.Attribute] = []
        Self.collect(first, "X", &attributes)
        guard !attributes.isEmpty else { return nil }
        try? self.init(rangeClass: rangeClass, duration: Self.moment, attributes: attributes)
    }

    /// Adds the fields of an object, and those of objects in it, as client attributes. What cannot be written is left
    /// out, and so is what would be too much.
    private static func collect(_ value: AMF0Value, _ prefix: String, _ attributes: inout [DateRange.Attribute]) {
        switch value {
        case .object(let properties), .ecmaArray(let properties):
            for property in properties {
                let name = property.name.uppercased().utf8.map { byte -> UInt8 in
                    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) ? byte : 0x2D
                }
                collect(property.value, "\(prefix)-\(String(decoding: name, as: UTF8.self))", &attributes)
            }
        case .string(let text): append(prefix, .string(text), &attributes)
        case .number(let number): append(prefix, .number(number), &attributes)
        case .boolean(let isTrue): append(prefix, .string(isTrue ? "true" : "false"), &attributes)
        case .strictArray, .date, .null, .undefined: break
        }
    }

    private static func append(
        _ name: String, _ value: DateRange.Attribute.Value, _ attributes: inout [DateRange.Attribute]
    ) {
        guard attributes.count < maximumAttributeCount, let attribute = DateRange.Attribute(name, value),
            !attributes.contains(where: { $0.name == name }),
            // A field that may not stand in a playlist does not take the others along.
            (try? TimedMetadata(attributes: [attribute])) != nil
        else { return }
        attributes.append(attribute)
    }
}
