import APIContract
import JSONDocument
import NIOHTTP1

/// Requests of declared operations.
extension ServerClient {
    /// The path of a request: each `{…}` of an operation's path is replaced by a name, in their order.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - names: the names, which are percent-encoded here.
    ///   - query: the parameters of the query; those that are `nil` are left out.
    static func path(
        of operation: some DeclaredOperation, _ names: [String], query: [(name: String, value: String?)] = []
    ) -> String {
        var names = names.makeIterator()
        let path = operation.path.split(separator: "/").map { part in
            part.hasPrefix("{") ? escaped(names.next() ?? "") : String(part)
        }.joined(separator: "/")
        let parameters = query.compactMap { parameter in
            parameter.value.map { "\(parameter.name)=\(escaped($0))" }
        }
        return "/\(path)" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// Sends a request, and returns what the server answers.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - names: the names in its path, in their order.
    ///   - query: the parameters of the query; those that are `nil` are left out.
    ///   - body: sent as JSON; `nil` for a request without a body.
    ///   - tag: the entity tag that the resource must still have; `nil` for any.
    ///   - key: the Idempotency-Key; `nil` for a request that is not marked.
    ///   - timeout: limit of the answer.
    /// - Throws: ``ServerClientError``
    func send<Value: APIValue>(
        _ operation: APIOperation<Value>, _ names: String..., query: [(name: String, value: String?)] = [],
        body: (any APIValue)? = nil, ifMatch tag: String? = nil, key: String? = nil, timeout: Duration = Self.timeout
    ) async throws -> Value {
        let node = try await send(
            HTTPMethod(rawValue: operation.method.rawValue), Self.path(of: operation, names, query: query), body?.json,
            ifMatch: tag, key: key, timeout: timeout)
        return try value(node)
    }

    /// Sends a request whose answer has no content.
    ///
    /// - Throws: ``ServerClientError``
    func send(
        _ operation: APIOperation<Void>, _ names: String..., body: (any APIValue)? = nil, ifMatch tag: String? = nil
    ) async throws {
        _ = try await send(
            HTTPMethod(rawValue: operation.method.rawValue), Self.path(of: operation, names), body?.json, ifMatch: tag)
    }

    /// Fetches the items of all pages of a list.
    ///
    /// - Parameters:
    ///   - operation: the operation, which has one page.
    ///   - names: the names in its path, in their order.
    ///   - query: the parameters of the query; those that are `nil` are left out.
    ///   - limit: maximum number of items.
    /// - Throws: ``ServerClientError``
    func items<Fields: ObjectFields>(
        _ operation: APIOperation<APIPage<Fields>>, _ names: String..., query: [(name: String, value: String?)] = [],
        limit: Int = .max
    ) async throws -> [APIObject<Fields>] {
        try await items(in: operation, names, query: query, limit: limit)
    }

    /// Fetches the items of all pages of a list whose pages have other members, too.
    ///
    /// - Throws: ``ServerClientError``
    func items<Fields: ObjectFields>(
        in operation: some DeclaredOperation, _ names: [String] = [], query: [(name: String, value: String?)] = [],
        limit: Int
    ) async throws -> [APIObject<Fields>] {
        try await list(Self.path(of: operation, names, query: query), limit: limit).map(value)
    }

    /// Makes a change of the version of a resource that is there, and once more if somebody else was faster.
    ///
    /// - Parameters:
    ///   - operation: the operation that changes the resource.
    ///   - names: the names in its path, in their order.
    ///   - body: the change; `nil` for a request without a body.
    ///   - path: the path of the resource whose entity tag counts; `nil` for that of the operation.
    ///   - timeout: limit of the answer.
    /// - Throws: ``ServerClientError``
    func change<Value: APIValue>(
        _ operation: APIOperation<Value>, _ names: String..., body: (any APIValue)? = nil, of path: String? = nil,
        timeout: Duration = Self.timeout
    ) async throws -> Value {
        let own = Self.path(of: operation, names)
        let node = try await change(path ?? own) { tag in
            try await send(
                HTTPMethod(rawValue: operation.method.rawValue), own, body?.json, ifMatch: tag, timeout: timeout)
        }
        return try value(node)
    }

    /// The answer of the server, as a value of the type that an operation declares.
    ///
    /// - Throws: ``ServerClientError`` if it has another type.
    func value<Value: APIValue>(_ node: JSONNode) throws -> Value {
        guard let value = Value(json: JSONText(node)) else {
            throw ServerClientError("\(base) does not respond like an Antena server.")
        }
        return value
    }
}
