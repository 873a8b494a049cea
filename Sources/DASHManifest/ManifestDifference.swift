import MediaCore

/// Writes the operations that turn one element into another (RFC 5261 §4). Elements with an `id` are the same if they
/// have the same name and `id`, others if they have the same place among those of their name. `S` elements are compared
/// by the segments that they describe.
struct ManifestDifference {
    var writer: XMLWriter

    /// - Parameter path: the XPath of the element.
    mutating func write(from old: ManifestElement, to new: ManifestElement, at path: String) {
        // Players know paths to elements and attributes, and not to texts.
        if old.text != new.text { return writer.element("replace", selecting: path, elements: [new]) }
        writeAttributes(from: old, to: new, at: path)
        if new.name == "SegmentTimeline" {
            writeTimeline(from: old.children, to: new.children, at: path)
        } else {
            writeChildren(from: old.children, to: new.children, at: path)
        }
    }

    /// Replaces the time of publication of a manifest by itself.
    mutating func confirmPublishTime(of root: ManifestElement) {
        writer.element("replace", selecting: "/\(root.name)/@publishTime", text: root["publishTime"] ?? "")
    }

    private mutating func writeAttributes(from old: ManifestElement, to new: ManifestElement, at path: String) {
        for attribute in new.attributes {
            let name = String(attribute.name)
            switch old[name] {
            case attribute.value: break
            case nil: writer.element("add", selecting: path, [.init("type", "@\(name)")], text: attribute.value)
            default: writer.element("replace", selecting: "\(path)/@\(name)", text: attribute.value)
            }
        }
        for attribute in old.attributes where new[String(attribute.name)] == nil {
            writer.element("remove", selecting: "\(path)/@\(attribute.name)")
        }
    }

    // MARK: Elements

    /// The identity of a child among its siblings.
    private struct Key: Hashable {
        var name: Substring
        var id: Substring?
        /// The position among the siblings of the same name that have no `id`.
        var ordinal: Int

        func path(in parent: String) -> String {
            id.map { "\(parent)/\(name)[@id='\($0)']" } ?? "\(parent)/\(name)[\(ordinal + 1)]"
        }
    }

    private static func keys(_ children: [ManifestElement]) -> [Key] {
        var counts: [Substring: Int] = [:]
        return children.map { child in
            if let id = child["id"] { return Key(name: child.name, id: id, ordinal: 0) }
            defer { counts[child.name, default: 0] += 1 }
            return Key(name: child.name, id: nil, ordinal: counts[child.name, default: 0])
        }
    }

    private mutating func writeChildren(from old: [ManifestElement], to new: [ManifestElement], at path: String) {
        let (oldKeys, newKeys) = (Self.keys(old), Self.keys(new))
        let wanted = Set(newKeys)
        // From the end, so that the positions of those before stay the same.
        for key in oldKeys.reversed() where !wanted.contains(key) {
            writer.element("remove", selecting: key.path(in: path))
        }
        let positions = Dictionary(zip(oldKeys, old.indices), uniquingKeysWith: { first, _ in first })
        var previous: Key?
        for (key, child) in zip(newKeys, new) {
            defer { previous = key }
            if let position = positions[key] {
                write(from: old[position], to: child, at: key.path(in: path))
            } else if let previous {
                writer.element("add", selecting: previous.path(in: path), [.init("pos", "after")], elements: [child])
            } else {
                writer.element("add", selecting: path, [.init("pos", "prepend")], elements: [child])
            }
        }
    }

    // MARK: Timelines

    /// Segments that follow each other, from an `S` element (ISO/IEC 23009-1:2022 §5.3.9.6).
    private struct Run: Equatable {
        var start, duration, count: Int64

        var end: Int64 { start.addingSaturating(duration.multipliedReportingOverflow(by: count).partialValue) }

        static func all(_ elements: [ManifestElement]) -> [Run] {
            var end: Int64 = 0
            return elements.map { element in
                func number(_ name: String) -> Int64? { element[name].flatMap { Int64($0) } }
                let run = Run(
                    start: number("t") ?? end, duration: number("d") ?? 0, count: (number("r") ?? 0).addingSaturating(1)
                )
                end = run.end
                return run
            }
        }
    }

    private mutating func writeTimeline(from old: [ManifestElement], to new: [ManifestElement], at path: String) {
        let (before, after) = (Run.all(old), Run.all(new))
        // Segments at the beginning have left, so that the first one is somewhere in an old run.
        let first = after.first.flatMap { first in
            before.firstIndex { $0.duration == first.duration && $0.start <= first.start && first.start < $0.end }
        }
        let removed = first ?? before.count
        for _ in 0..<removed { writer.element("remove", selecting: "\(path)/S[1]") }
        let kept = old.dropFirst(removed)
        for (index, (old, new)) in zip(kept, new).enumerated() where old.source != new.source {
            writer.element("replace", selecting: "\(path)/S[\(index + 1)]", elements: [new])
        }
        for _ in 0..<max(0, kept.count - new.count) {
            writer.element("remove", selecting: "\(path)/S[\(new.count + 1)]")
        }
        let added = new.dropFirst(kept.count)
        if !added.isEmpty { writer.element("add", selecting: path, elements: Array(added)) }
    }
}

extension XMLWriter {
    /// Writes an operation whose content is a text that is escaped already.
    fileprivate mutating func element(
        _ name: String, selecting path: String, _ attributes: [XMLAttribute] = [], text: Substring
    ) {
        element(name, [.init("sel", path)] + attributes, escapedText: text)
    }

    fileprivate mutating func element(_ name: String, selecting path: String) { element(name, [.init("sel", path)]) }

    /// Writes an operation whose content is elements of a manifest.
    fileprivate mutating func element(
        _ name: String, selecting path: String, _ attributes: [XMLAttribute] = [], elements: [ManifestElement]
    ) {
        element(name, [.init("sel", path)] + attributes) { writer in
            for element in elements { writer.copy(element.source) }
        }
    }
}
