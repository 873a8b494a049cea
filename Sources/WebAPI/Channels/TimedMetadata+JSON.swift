import HLSPlaylist
import JSONDocument
import LiveChannels
import MediaCore
import Packaging

extension TimedMetadata {
    /// Reads metadata from a request's body.
    ///
    /// - Throws: `TimedMetadataError` with code `invalid` if a field is not valid or not known.
    init(_ json: JSONNode) throws(TimedMetadataError) {
        let members = try Self.members(
            json, named: "the body",
            allowed: ["id", "class", "duration", "plannedDuration", "endOnNext", "attributes", "id3"])
        func value<Value>(
            _ name: String, _ kind: String, _ read: (JSONNode) -> Value?
        ) throws(TimedMetadataError) -> Value? {
            guard let node = members[name], node.value != .null else { return nil }
            guard let value = read(node) else { throw .invalid("\"\(name)\" is not a \(kind)") }
            return value
        }
        let attributes = try Self.attributes(members["attributes"])
        let tag = try members["id3"].map { node throws(TimedMetadataError) in try Self.tag(node) }
        try self.init(
            id: try value("id", "text", \.string), rangeClass: try value("class", "text", \.string),
            duration: try value("duration", "number", \.number),
            plannedDuration: try value("plannedDuration", "number", \.number),
            endsOnNext: try value("endOnNext", "boolean", \.boolean) ?? false, attributes: attributes, tag: tag)
    }

    private static func members(
        _ json: JSONNode, named name: String, allowed: Set<String>?
    ) throws(TimedMetadataError) -> [String: JSONNode] {
        guard let members = json.members else { throw .invalid("\(name) is not an object") }
        if let unknown = members.first(where: { allowed?.contains($0.name) == false }) {
            throw .invalid("\"\(unknown.name)\" is not a known field")
        }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func attributes(_ json: JSONNode?) throws(TimedMetadataError) -> [DateRange.Attribute] {
        guard let json else { return [] }
        let members = try members(json, named: "\"attributes\"", allowed: nil)
        guard members.count <= maximumAttributeCount else {
            throw .invalid("\"attributes\" is limited to \(maximumAttributeCount) members")
        }
        var attributes: [DateRange.Attribute] = []
        for (name, node) in members.sorted(by: { $0.key < $1.key }) {
            guard let value = attributeValue(node, named: name), let attribute = DateRange.Attribute(name, value) else {
                throw .invalid(
                    "\"\(name)\" is not an attribute: its name is X- and capitals, digits and hyphens, its value a text or "
                        + "a number that is not negative; or it is SCTE35-CMD, -OUT or -IN with \"0x…\"")
            }
            attributes.append(attribute)
        }
        return attributes
    }

    private static func attributeValue(_ node: JSONNode, named name: String) -> DateRange.Attribute.Value? {
        if let number = node.number { return .number(number) }
        guard let text = node.string else { return nil }
        guard name.hasPrefix("SCTE35-") else { return .string(text) }
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        return [UInt8](hexadecimalDigits: text.dropFirst(2)).map { .hexadecimal($0) }
    }

    private static func tag(_ json: JSONNode) throws(TimedMetadataError) -> ID3Tag {
        let members = try members(json, named: "\"id3\"", allowed: ["description", "value"])
        guard let description = members["description"]?.string, let value = members["value"]?.string else {
            throw .invalid("\"id3\" needs the texts \"description\" and \"value\"")
        }
        return ID3Tag(description: description, value: value)
    }
}
