import APIDeclarations
import APIContract
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import Synchronization

/// The page at `/api/v1/docs`: the OpenAPI description for people, and the types of problems.
package final class APIDescriptionPage: Sendable {
    private typealias Group = (name: String, operations: [[String: any Sendable]])

    private let description: @Sendable () -> String
    /// Parsed for the first visitor, not at the server's start.
    private let parsed = Mutex<[Group]?>(nil)

    /// - Parameter description: the OpenAPI description, in JSON; operations are left out if it is not valid.
    package init(_ description: @escaping @Sendable () -> String) { self.description = description }

    private var groups: [Group] {
        parsed.withLock { parsed in
            let groups = parsed ?? Self.groups(description())
            parsed = groups
            return groups
        }
    }

    private static func groups(_ description: String) -> [Group] {
        let document = try? JSONParser.parse(Array(description.utf8))
        let all = document.map(DescribedOperation.operations) ?? []
        var groups: [Group] = []
        for operation in all {
            let values = values(operation)
            if let index = groups.firstIndex(where: { $0.name == operation.group }) {
                groups[index].operations.append(values)
            } else {
                groups.append((operation.group, [values]))
            }
        }
        return groups
    }

    package static let rule = AccessRule.anyone(.any, reason: "the description of the API is for everybody")

    package var endpoint: Endpoint {
        Endpoint(AboutAPI.getDocumentation, Self.rule) {
            [self] request, context in
            try SitePage(.api, request, context).response([
                "groups": groups.map { ["name": $0.name, "operations": $0.operations] as [String: Any] },
                "problems": ProblemType.all.map { ["code": $0.code, "title": $0.title] },
            ])
        }
    }

    private static func values(_ operation: DescribedOperation) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "method": operation.method, "path": operation.path, "summary": operation.summary,
            "anchor": operation.anchor, "isForEveryone": operation.isForEveryone,
            "responses": operation.responses.map { ["status": $0.status, "meaning": $0.meaning] },
        ]
        if let detail = operation.detail { values["detail"] = detail }
        if !operation.contentTypes.isEmpty { values["body"] = operation.contentTypes.joined(separator: ", ") }
        let inputs = operation.parameters + operation.fields
        if !inputs.isEmpty { values["inputs"] = ["rows": inputs.map(Self.values)] }
        return values
    }

    private static func values(_ field: DescribedOperation.Field) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "name": field.name, "kind": field.kind, "isRequired": field.isRequired,
        ]
        if let meaning = field.meaning { values["meaning"] = meaning }
        return values
    }
}
