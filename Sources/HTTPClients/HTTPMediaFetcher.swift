import APIContract
import AsyncHTTPClient
package import Foundation
import HTTPEndpoints
import LibraryCore
import MediaCore
package import MediaIntake
import NIOCore
package import NIOHTTP1
import NIOSSL
import OutgoingHTTP
import Workflows

/// Fetches files over HTTP and HTTPS. The address of each host, those of redirects included, is checked by
/// ``CheckedHosts``.
package struct HTTPMediaFetcher: RemoteImporting {
    private let hosts: CheckedHosts

    /// Limit of redirects: typically from a link to a store, from there to one of its hosts, and to a signed URL.
    static let maximumRedirectionCount = 5
    private static let connectTimeout = Duration.seconds(15)
    /// Limit of silence while a response is expected.
    private static let readTimeout = Duration.seconds(60)
    /// Time from the connection to the end of the head; stores that get a file from a tape answer after minutes.
    private static let headTimeout = Duration.seconds(180)
    var pace: PacedBody.Pace

    /// - Parameter hosts: the hosts that files may come from.
    package init(hosts: CheckedHosts) { self.init(hosts: hosts, pace: .file) }

    /// - Parameter pace: what an origin has to send, so that it does not keep a place among the imports for days.
    init(hosts: CheckedHosts, pace: PacedBody.Pace) { (self.hosts, self.pace) = (hosts, pace) }

    package func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws {
        var url = url
        for _ in 0...Self.maximumRedirectionCount {
            guard let next = try await follow(url, offset, validator, receive) else { return }
            url = next
        }
        throw LibraryError(.notPossible, "it was redirected more than \(Self.maximumRedirectionCount) times")
    }

    /// - Returns: the target of a redirect; `nil` if the file has been received.
    private func follow(
        _ text: String, _ offset: Int64, _ validator: String?,
        _ receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: false), !host.isEmpty, url.user == nil, url.password == nil
        else { throw LibraryError(.notPossible, "the redirect target is not an http(s) URL") }
        let client = try await hosts.client(
            for: url, host: host, scheme: scheme,
            timeout: .init(connect: TimeAmount(Self.connectTimeout), read: TimeAmount(Self.readTimeout)))
        do {
            let next = try await exchange(client, url, offset, validator, receive)
            try await client.shutdown()
            return next
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    // MARK: One request

    private func exchange(
        _ client: HTTPClient, _ url: URL, _ offset: Int64, _ validator: String?,
        _ receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws -> String? {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
        // A content coding would change the file's bytes.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        if offset > 0, let validator {
            request.headers.add(name: "Range", value: "bytes=\(offset)-")
            request.headers.add(name: "If-Range", value: validator)
        }
        let response = try await client.execute(request, timeout: TimeAmount(Self.headTimeout))
        switch response.status.code {
        case 200, 206: break
        case 301, 302, 303, 307, 308:
            guard let location = response.headers.first(name: "Location"),
                let next = URL(string: location, relativeTo: url)?.absoluteURL.absoluteString
            else { throw LibraryError(.noSuchFile, "the origin redirects without a valid Location") }
            return next
        // These statuses may be temporary.
        case 408, 429, 500..<600: throw Refusal(status: Int(response.status.code))
        case 416:
            // The file has become shorter although its validator has not changed.
            throw LibraryError(.noSuchFile, "the file has changed at the origin; retry the job")
        default: throw LibraryError(.noSuchFile, "the origin answers with status \(response.status.code)")
        }
        try await receive(try describe(response, url, offset))
        return nil
    }

    private struct Refusal: Error, CustomStringConvertible {
        var status: Int
        var description: String { "the origin answers with status \(status)" }
    }

    private func describe(_ response: HTTPClientResponse, _ url: URL, _ offset: Int64) throws -> RemoteResponse {
        var (begin, total) = (
            Int64(0), response.headers.first(name: "Content-Length").flatMap { Int64(digits: $0[...]) }
        )
        if response.status.code == 206 {
            guard let range = response.headers.first(name: "Content-Range").flatMap(ContentRange.init(parsing:)),
                range.first == offset
            else { throw LibraryError(.noSuchFile, "the origin answers with a different range than requested") }
            (begin, total) = (range.first, range.total)
        }
        // A weak validator cannot be used for ranges (RFC 9110 §13.1.5).
        let etag = response.headers.first(name: "ETag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
        return RemoteResponse(
            offset: begin, byteCount: total, validator: etag ?? response.headers.first(name: "Last-Modified"),
            name: Self.name(of: url, response.headers), bytes: PacedBody(response, pace: pace))
    }

    /// A Content-Range field (RFC 9110 §14.4), such as `bytes 42-1233/1234`.
    struct ContentRange: Equatable {
        package var first: Int64
        package var total: Int64?

        init?(parsing text: String) {
            let words = text.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
            let parts = words[1].split(separator: "/")
            let bounds = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
            guard parts.count == 2, bounds.count == 2, let first = Int64(digits: bounds[0]),
                let last = Int64(digits: bounds[1]),
                first <= last
            else { return nil }
            self.first = first
            total = Int64(digits: parts[1])
        }
    }

    // MARK: Names

    /// The file's name: the one in Content-Disposition, or the last component of the URL; with a file extension for its
    /// type if it has none.
    package static func name(of url: URL, _ headers: HTTPHeaders) -> String {
        let given = headers.first(name: "Content-Disposition").flatMap(ContentDisposition.fileName)
        let last = url.path(percentEncoded: false).split(separator: "/").last.map(String.init)
        return ReceivedFileName.completed(
            given ?? last ?? url.host() ?? "file", ofType: headers.first(name: "Content-Type"))
    }
}
