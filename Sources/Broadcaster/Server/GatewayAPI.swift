import AsyncHTTPClient
package import Foundation
package import MediaCore
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The API of a running Antena server, as far as a broadcaster needs it.
package struct GatewayAPI: Sendable {
    /// A channel, with the properties that a publisher needs.
    package struct Channel: Codable, Hashable, Sendable {
        /// The current publisher.
        package struct Publisher: Codable, Hashable, Sendable {
            package var since: Date?
            package var address: String?
        }

        /// A track of the current publisher.
        package struct Track: Codable, Hashable, Sendable {
            package var type: String
            package var width: Int?
            package var height: Int?
            package var frameRate: Double?
            package var bitRate: Int?
        }

        /// The name in URLs.
        package var name: String
        /// The human-readable title.
        package var title: String
        /// The state: `idle`, `live` or `interrupted`.
        package var state: String
        /// The current publisher's preset, or the channel's default.
        package var preset: String
        /// The presets that a publisher may choose; `nil` if the server does not say.
        package var presets: [String]?
        package var publisher: Publisher?
        package var tracks: [Track]
        /// The number of viewers.
        package var viewers: Int
        package var packetsLost: Int?

        /// True if the channel has no publisher.
        package var isFree: Bool { publisher == nil }
    }

    private struct Page<Item: Codable>: Codable {
        var items: [Item]
    }

    /// The largest answer in bytes; four channels take some 4 KB.
    private static let maximumByteCount = 4 << 20
    private static let timeout = Duration.seconds(5)
    /// The client of the whole process, which is never shut down. It does not retry, so that a closed port is reported
    /// at once.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let base: String

    /// Adds `http://` to an address without a scheme, such as `192.168.1.10:8080`.
    static func completed(_ address: String) -> String {
        let address = address.trimmingCharacters(in: .whitespaces)
        return address.isEmpty || address.contains("://") ? address : "http://\(address)"
    }

    /// Creates a client.
    ///
    /// - Parameter address: An address such as `http://192.168.1.10:8080`, or without `http://`.
    /// - Throws: ``BroadcastError``
    package init(address: String) throws(BroadcastError) {
        let address = Self.completed(address)
        guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host() != nil
        else {
            throw BroadcastError(
                .usage,
                "\"\(address)\" is not the web address of a server; write it like http://192.168.1.10:8080, or leave it out "
                    + "and give --rtsp")
        }
        base = address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    /// Fetches all channels.
    package func channels() async throws(BroadcastError) -> [Channel] {
        try await get(Page<Channel>.self, "/api/v1/channels?limit=200").items
    }

    /// Fetches a channel; `nil` if there is none of that name.
    package func channel(named name: String) async throws(BroadcastError) -> Channel? {
        try await channels().first { $0.name == name }
    }

    /// Fetches the port of the server's RTSP listener; `nil` if the server does not say.
    package func rtspPort() async throws(BroadcastError) -> Int? {
        try await get(About.self, "/api/v1/about").rtspPort
    }

    private struct About: Codable {
        var rtspPort: Int?
    }

    /// The error for an unknown channel.
    ///
    /// - Parameter channels: The existing channels.
    static func unknownChannel(_ name: String, among channels: [Channel]) -> BroadcastError {
        let names = channels.map(\.name)
        let hint = NearestName.suggestion(for: name, among: names).map { "; did you mean \($0)?" } ?? ""
        return BroadcastError(
            .unknownChannel,
            "the server has no channel \"\(name)\"; it has \(names.joined(separator: ", "))\(hint)")
    }

    /// Fetches all presets.
    package func presets() async throws(BroadcastError) -> [QualityPreset] {
        try await get(Page<QualityPreset>.self, "/api/v1/presets").items
    }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(BroadcastError) -> Value {
        let (status, data): (UInt, Data)
        do {
            let response = try await Self.client.execute(
                HTTPClientRequest(url: base + path), timeout: TimeAmount(Self.timeout))
            let body = try await response.body.collect(upTo: Self.maximumByteCount)
            (status, data) = (response.status.code, Data(buffer: body))
        } catch {
            throw BroadcastError(
                .unreachable, "no server answers at \(base); is it running, and is this its HTTP port?")
        }
        guard status == 200 else {
            throw BroadcastError(.unreachable, "cannot fetch \(base)\(path): HTTP \(status); is it an Antena server?")
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            let plain = try? Date(text, strategy: .iso8601)
            let fractional = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return plain ?? fractional ?? .distantPast
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw BroadcastError(.unreachable, "\(base) answers \(path) in a format that this version does not support")
        }
    }
}
