/// The answer of a request that succeeds, with the type of the client's result.
package struct APIResult<Value: Sendable>: Sendable {
    let answer: APIAnswer
}

extension APIResult where Value: APIValue {
    /// A value in JSON that is no declared object.
    package static func value(
        _: Value.Type, _ meaning: String, _ traits: [SchemaTrait] = [], headers: [any DeclaredField] = []
    ) -> APIResult {
        APIResult(
            answer: APIAnswer(200, meaning, [APIContent("application/json", Value.self, traits)], headers: headers))
    }
}

extension APIResult {
    /// An object in JSON.
    ///
    /// - Parameters:
    ///   - fields: the fields of the object.
    ///   - meaning: the meaning of the answer.
    ///   - status: the status of HTTP.
    ///   - others: the same in other media types, for clients that ask for them.
    ///   - headers: the header fields that tell more.
    package static func object<Fields: ObjectFields>(
        _ fields: Fields.Type, _ meaning: String, status: Int = 200, also others: [APIContent] = [],
        headers: [any DeclaredField] = []
    ) -> APIResult where Value == APIObject<Fields> {
        APIResult(answer: APIAnswer(status, meaning, [.json(Fields.self)] + others, headers: headers))
    }

    /// One page of a list.
    ///
    /// - Parameters:
    ///   - fields: the fields of each item.
    ///   - meaning: the meaning of the answer.
    ///   - others: the same in other media types, for clients that ask for them.
    ///   - headers: the header fields that tell more.
    package static func page<Fields: ObjectFields>(
        of fields: Fields.Type, _ meaning: String, also others: [APIContent] = [], headers: [any DeclaredField] = []
    ) -> APIResult where Value == APIPage<Fields> {
        APIResult(answer: APIAnswer(200, meaning, [.page(of: Fields.self)] + others, headers: headers))
    }
}

extension APIResult where Value == Void {
    /// An answer without content.
    package static func nothing(
        _ meaning: String, status: Int = 204, headers: [any DeclaredField] = []
    ) -> APIResult {
        APIResult(answer: APIAnswer(status, meaning, [], headers: headers))
    }
}

extension APIResult where Value == [UInt8] {
    /// Content of another type than JSON.
    package static func content(
        _ meaning: String, _ content: APIContent, headers: [any DeclaredField] = []
    ) -> APIResult {
        APIResult(answer: APIAnswer(200, meaning, [content], headers: headers))
    }
}
