import Foundation
package import Hummingbird
import NIOCore

/// The fields of a form that a browser has sent as `application/x-www-form-urlencoded`.
package struct FormFields: Sendable {
    private let fields: [(name: String, value: String)]

    /// Limit of a form's body.
    package static let maximumByteCount = 64 * 1024
    /// Limit of the fields, more than any page has.
    private static let maximumFieldCount = 200

    /// Reads the form of a request. The body of a request that came through `EndpointTable` can be read twice.
    ///
    /// - Throws: ``ProblemDetails`` if the body is not a form, or too long.
    package init(_ request: Request) async throws {
        guard Self.isForm(request) else {
            throw ProblemDetails(
                .unsupportedMediaType, "send the fields with the header Content-Type: application/x-www-form-urlencoded"
            )
        }
        do {
            self.init(parsing: try await request.body.collect(upTo: Self.maximumByteCount))
        } catch is NIOTooManyBytesError {
            throw ProblemDetails(.contentTooLarge, "a form is limited to \(Self.maximumByteCount) bytes")
        }
    }

    /// The fields beside a file that a form has sent; see `FileForm`.
    package init(_ form: FileForm) { fields = form.fields.map { (name: $0.key, value: $0.value) } }

    init(parsing body: ByteBuffer) {
        fields = body.readableBytesView.split(separator: UInt8(ascii: "&")).prefix(Self.maximumFieldCount)
            .compactMap { pair in
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.decoded(parts[0]), let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
                else { return nil }
                return (name, value)
            }
    }

    /// The first value of a field; `nil` if the form does not have it.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The value of a field without white space around it; `nil` if it is missing or empty.
    package func text(_ name: String) -> String? {
        guard let value = self[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty else {
            return nil
        }
        return value
    }

    /// The hidden field with the version of a form's values, as in `If-Match`.
    package static let versionField = "version"

    /// The revisions that a change is meant for; `nil` for any, if the form does not say which it has shown.
    package var revisions: Set<Int64>? { self[Self.versionField].map { Set([Int64($0)].compactMap(\.self)) } }

    /// All values of a field, such as check boxes of one name.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Whether a check box is ticked.
    package func isOn(_ name: String) -> Bool { self[name] != nil }

    static func isForm(_ request: Request) -> Bool { type(of: request) == "application/x-www-form-urlencoded" }

    /// The media type without parameters, in lower case.
    package static func type(of request: Request) -> String {
        (request.headers[.contentType] ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    private static func decoded(_ bytes: some Sequence<UInt8>) -> String? {
        let text = String(decoding: bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return text.removingPercentEncoding
    }
}
