/// A box of an MP4 file, parsed only as far as tests change it.
package struct BoxNode: Sendable {
    package var type: String
    package var payload: Payload

    package enum Payload: Sendable {
        case bytes([UInt8])
        case children([BoxNode])
    }

    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "mvex", "moof", "traf",
    ]

    package init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        payload = .bytes(bytes)
    }

    package init(_ type: String, children: [BoxNode]) {
        self.type = type
        payload = .children(children)
    }

    /// A full box of 32-bit fields.
    package init(full type: String, version: UInt32 = 0, flags: UInt32 = 0, _ words: [UInt32]) {
        self.init(type, bigEndian([version << 24 | flags] + words))
    }

    /// Parses the boxes of a whole file or of a container's payload. Only valid boxes with 32-bit sizes are supported.
    package static func parse(_ bytes: some Collection<UInt8>) -> [BoxNode] {
        var rest = Array(bytes)[...]
        var nodes: [BoxNode] = []
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            precondition((8...rest.count).contains(size), "only audio boxes are parsed here")
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let content = Array(rest.dropFirst(8).prefix(size - 8))
            nodes.append(
                containers.contains(type) ? BoxNode(type, children: parse(content)) : BoxNode(type, content))
            rest = rest.dropFirst(size)
        }
        return nodes
    }

    /// The box as bytes, header included.
    package var bytes: [UInt8] {
        let content: [UInt8] =
            switch payload {
            case .bytes(let bytes): bytes
            case .children(let children): children.flatMap(\.bytes)
            }
        return bigEndian([UInt32(content.count + 8)]) + Array(type.utf8) + content
    }

    package var children: [BoxNode] {
        get { if case .children(let children) = payload { children } else { [] } }
        set { payload = .children(newValue) }
    }

    /// The content of a box that is not parsed; the first four bytes of a full box are version and flags.
    package var content: [UInt8] {
        get { if case .bytes(let bytes) = payload { bytes } else { [] } }
        set { payload = .bytes(newValue) }
    }

    /// Replaces every box of `type` at any depth; `nil` removes it.
    package func replacing(_ type: String, with transform: (BoxNode) -> BoxNode?) -> BoxNode {
        var copy = self
        copy.children = children.compactMap { child in
            guard child.type == type else {
                return child.children.isEmpty ? child : child.replacing(type, with: transform)
            }
            return transform(child)
        }
        return copy
    }

    /// A copy of the box with the 32-bit field at `offset` of the content changed.
    package func setting(_ value: UInt32, at offset: Int) -> BoxNode {
        var copy = self
        copy.content.replaceSubrange(offset..<(offset + 4), with: bigEndian([value]))
        return copy
    }
}

/// The bytes of 32-bit words in big-endian order.
package func bigEndian(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
}
