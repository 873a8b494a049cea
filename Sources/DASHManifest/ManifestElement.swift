import MediaCore

/// An element of a manifest as `XMLWriter` writes it, for the comparison of two manifests. Texts and values stay
/// escaped.
struct ManifestElement {
    var name: Substring
    var attributes: [(name: Substring, value: Substring)] = []
    var text: Substring = ""
    var children: [ManifestElement] = []

    /// The element with all that it contains, as it was written.
    private(set) var source: Substring

    /// Reads a document. Each element begins on a line of its own, and ends on the same line if it has no elements
    /// inside.
    ///
    /// - Returns: `nil` for a text that `XMLWriter` has not written.
    init?(document: String) {
        var lines = Lines(rest: document[...])
        _ = lines.next()
        guard let first = lines.next(), let root = Self.read(first, &lines) else { return nil }
        self = root
    }

    private struct Lines {
        var rest: Substring

        mutating func next() -> Substring? {
            guard !rest.isEmpty else { return nil }
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            rest = end < rest.endIndex ? rest[rest.utf8.index(after: end)...] : ""
            return line
        }
    }

    private static func read(_ line: Substring, _ lines: inout Lines) -> ManifestElement? {
        guard var element = ManifestElement(line: line) else { return nil }
        let bytes = line.utf8
        guard bytes.suffix(2).elementsEqual("/>".utf8) || element.isClosed(on: line) else {
            while let next = lines.next() {
                if next.utf8.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "</".utf8) {
                    element.source = line.base[line.startIndex..<next.endIndex]
                    return element
                }
                guard let child = read(next, &lines) else { return nil }
                element.children.append(child)
            }
            return nil
        }
        return element
    }

    private init?(line: Substring) {
        source = line
        var rest = line.utf8.drop { $0 == UInt8(ascii: " ") }
        guard rest.popFirst() == UInt8(ascii: "<") else { return nil }
        let end = rest.firstIndex { [UInt8(ascii: " "), UInt8(ascii: ">"), UInt8(ascii: "/")].contains($0) }
        guard let end else { return nil }
        name = Substring(rest[..<end])
        rest = rest[end...]
        while rest.first == UInt8(ascii: " ") {
            rest = rest.dropFirst()
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")),
                let closing = rest[equals...].dropFirst(2).firstIndex(of: UInt8(ascii: "\""))
            else { return nil }
            attributes.append(
                (Substring(rest[..<equals]), Substring(rest[rest.index(equals, offsetBy: 2)..<closing])))
            rest = rest[rest.index(after: closing)...]
        }
        if rest.popFirst() == UInt8(ascii: ">"), let tail = rest.firstIndex(of: UInt8(ascii: "<")) {
            text = Substring(rest[..<tail])
        }
    }

    private func isClosed(on line: Substring) -> Bool {
        line.utf8.suffix(name.utf8.count + 3).elementsEqual("</\(name)>".utf8)
    }

    subscript(_ name: String) -> Substring? { attributes.first { $0.name == name }?.value }
}
