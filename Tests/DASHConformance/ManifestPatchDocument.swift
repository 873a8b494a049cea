package import XMLDocument

/// A patch of a manifest as a player applies it, written after ISO/IEC 23009-1:2022 §5.15 and RFC 5261 and not after
/// our writer.
package struct ManifestPatchDocument {
    private let root: XMLElement

    package var operationCount: Int { root.children.count }

    /// - Throws: ``ManifestDocument/Violation`` for what is no patch.
    package init(parsing text: String) throws {
        root = try ManifestDocument.elements(of: text)
        guard root.name == "Patch", !root.children.isEmpty else { throw Self.violation("it is no patch") }
        for name in ["mpdId", "publishTime", "originalPublishTime"] where root.attributes[name] == nil {
            throw Self.violation("Patch has no \(name)")
        }
    }

    /// The manifest with the patch applied.
    ///
    /// - Throws: ``ManifestDocument/Violation`` if the patch is not for this manifest.
    package func applied(to manifest: String) throws -> XMLElement {
        var manifest = try ManifestDocument.elements(of: manifest)
        guard manifest.attributes["id"] == root.attributes["mpdId"],
            manifest.attributes["publishTime"] == root.attributes["originalPublishTime"]
        else { throw Self.violation("the patch is for another manifest") }
        for operation in root.children {
            guard let selector = operation.attributes["sel"], selector.hasPrefix("/MPD") else {
                throw Self.violation("\(operation.name) has no sel")
            }
            let steps = selector.dropFirst().split(separator: "/").map { String($0) }
            try Self.apply(operation, steps[1...], to: &manifest)
        }
        guard manifest.attributes["publishTime"] == root.attributes["publishTime"] else {
            throw Self.violation("the manifest has another time of publication")
        }
        return manifest
    }

    private static func apply(
        _ operation: XMLElement, _ steps: ArraySlice<String>, to element: inout XMLElement
    ) throws {
        guard let step = steps.first else { return try add(operation, to: &element) }
        if step.hasPrefix("@") { return try change(String(step.dropFirst()), operation, &element) }
        let position = try position(of: step, in: element)
        if steps.count > 1 { return try apply(operation, steps.dropFirst(), to: &element.children[position]) }
        switch (operation.name, operation.attributes["pos"]) {
        case ("remove", nil): element.children.remove(at: position)
        case ("replace", nil):
            guard operation.children.count == 1 else { throw violation("replace has \(operation.children.count)") }
            element.children[position] = operation.children[0]
        case ("add", "after"): element.children.insert(contentsOf: operation.children, at: position + 1)
        case ("add", "before"): element.children.insert(contentsOf: operation.children, at: position)
        case ("add", _): try add(operation, to: &element.children[position])
        default: throw violation("there is no operation \(operation.name)")
        }
    }

    private static func add(_ operation: XMLElement, to element: inout XMLElement) throws {
        guard operation.name == "add" else { throw violation("\(operation.name) of \(element.name)") }
        if let type = operation.attributes["type"] {
            guard type.hasPrefix("@"), element.attributes[String(type.dropFirst())] == nil else {
                throw violation("add of \(type)")
            }
            element.attributes[String(type.dropFirst())] = operation.text
        } else if operation.attributes["pos"] == "prepend" {
            element.children.insert(contentsOf: operation.children, at: 0)
        } else {
            element.children += operation.children
        }
    }

    private static func change(_ name: String, _ operation: XMLElement, _ element: inout XMLElement) throws {
        guard element.attributes[name] != nil else { throw violation("\(element.name) has no \(name)") }
        switch operation.name {
        case "replace": element.attributes[name] = operation.text
        case "remove": element.attributes[name] = nil
        default: throw violation("\(operation.name) of @\(name)")
        }
    }

    /// The position of the child that a step of a path leads to: exactly one.
    private static func position(of step: String, in element: XMLElement) throws -> Int {
        guard let match = step.wholeMatch(of: /([A-Za-z]+)(?:\[@id='([^']*)'\]|\[([0-9]+)\])?/) else {
            throw violation("the step \(step)")
        }
        var found = element.children.indices.filter { element.children[$0].name == String(match.1) }
        if let id = match.2 { found = found.filter { element.children[$0].attributes["id"] == String(id) } }
        if let ordinal = match.3.flatMap({ Int($0) }) {
            guard found.indices.contains(ordinal - 1) else { throw violation("\(step) of \(element.name)") }
            return found[ordinal - 1]
        }
        guard found.count == 1 else { throw violation("\(step) of \(element.name) leads to \(found.count)") }
        return found[0]
    }

    private static func violation(_ text: String) -> ManifestDocument.Violation {
        ManifestDocument.Violation(description: text)
    }
}

extension ManifestDocument {
    /// A manifest as elements, for the comparison of two.
    package static func elements(of text: String) throws -> XMLElement {
        withoutIndentation(try XMLReader.read(text.utf8, maximumElementCount: 100_000, keepsAttributes: true))
    }

    /// An element without the space between the elements inside.
    private static func withoutIndentation(_ element: XMLElement) -> XMLElement {
        var element = element
        if element.text.allSatisfy(\.isWhitespace) { element.text = "" }
        element.children = element.children.map(withoutIndentation)
        return element
    }
}
