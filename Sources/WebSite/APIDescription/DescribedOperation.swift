import JSONDocument

/// An operation of the API, as the OpenAPI description has it, for a page.
struct DescribedOperation {
    var method: String
    var path: String
    var summary: String
    var detail: String?
    var isForEveryone: Bool
    var parameters: [Field] = []
    var fields: [Field] = []
    var contentTypes: [String] = []
    var responses: [(status: String, meaning: String)] = []

    /// A parameter, or a field of a body.
    struct Field {
        var name: String
        /// Such as `query` or `integer, null`.
        var kind: String
        var isRequired: Bool
        var meaning: String?
    }

    /// The anchor on the page, such as `get-titles-id`.
    var anchor: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.drop { $0 == "api" || $0 == "v1" }
        return ([method.lowercased()] + words.map(String.init)).joined(separator: "-")
    }

    /// The subject of the operation: the first component after the version.
    var group: String {
        path.split(separator: "/").dropFirst(2).first.map { String($0.prefix { $0 != "." }) } ?? ""
    }
}

extension DescribedOperation {
    private static let methods = ["get", "post", "put", "patch", "delete", "head", "options"]

    /// The operations of a description, in its order.
    static func operations(of document: JSONNode) -> [DescribedOperation] {
        (document["paths"]?.members ?? []).flatMap { path in
            methods.compactMap { method in
                path.value[method].map {
                    DescribedOperation(
                        method.uppercased(), path.name, $0, shared: path.value["parameters"], in: document)
                }
            }
        }
    }

    private init(_ method: String, _ path: String, _ node: JSONNode, shared: JSONNode?, in document: JSONNode) {
        (self.method, self.path) = (method, path)
        summary = node["summary"]?.string ?? ""
        detail = node["description"]?.string
        // No requirement, or an empty one among several.
        let requirements = node["security"]?.elements ?? []
        isForEveryone = requirements.isEmpty || requirements.contains { $0.members?.isEmpty == true }
        parameters = ((shared?.elements ?? []) + (node["parameters"]?.elements ?? [])).map { reference in
            let parameter = Self.resolved(reference, in: document)
            return Field(
                name: parameter["name"]?.string ?? "", kind: parameter["in"]?.string ?? "",
                isRequired: parameter["required"]?.boolean ?? false, meaning: parameter["description"]?.string)
        }
        let contents = node["requestBody"]?["content"]?.members ?? []
        contentTypes = contents.map(\.name)
        if let schema = contents.first(where: { $0.name == "application/json" })?.value["schema"] {
            fields = Self.fields(Self.resolved(schema, in: document), in: document)
        }
        responses = (node["responses"]?.members ?? []).map { response in
            let resolved = Self.resolved(response.value, in: document)
            return (response.name, resolved["description"]?.string ?? "")
        }
    }

    private static func fields(_ schema: JSONNode, in document: JSONNode) -> [Field] {
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.string))
        return (schema["properties"]?.members ?? []).map { property in
            let resolved = resolved(property.value, in: document)
            let types = resolved["type"]?.string.map { [$0] } ?? resolved["type"]?.elements?.compactMap(\.string) ?? []
            return Field(
                name: property.name, kind: types.joined(separator: ", "), isRequired: required.contains(property.name),
                meaning: (property.value["description"] ?? resolved["description"])?.string)
        }
    }

    /// The node that a reference within the document leads to (RFC 6901); the node itself if it is none.
    private static func resolved(_ node: JSONNode, in document: JSONNode) -> JSONNode {
        guard let reference = node["$ref"]?.string, reference.hasPrefix("#/") else { return node }
        let target = reference.dropFirst(2).split(separator: "/").reduce(document as JSONNode?) { $0?[String($1)] }
        return target ?? node
    }
}
