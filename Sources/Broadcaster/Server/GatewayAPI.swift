import AsyncHTTPClient
package import Foundation
import MediaCore
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A running Antena's API, as a broadcaster needs it.
package struct GatewayAPI: Sendable {
    /// A channel, with what matters to whoever wants to push to it.
    package struct Channel: Codable, Hashable, Sendable {
        package struct Publisher: Codable, Hashable, Sendable {
            package var since: Date?
            package var address: String?
        }

        package struct Track: Codable, Hashable, Sendable {
            package var type: String
            package var width: Int?
            package var height: Int?
            package var frameRate: Double?
            package var bitRate: Int?
        }

        package var name: String
        package var title: String
        /// `idle`, `live` or `interrupted`.
        package var state: String
        /// The channel's default, or its publisher's.
        package var preset: String
        /// That a push may name; `nil` from servers that do not say.
        package var presets: [String]?
        package var publisher: Publisher?
        package var tracks: [Track]
        package var viewers: Int
        package var packetsLost: Int?

        package var isFree: Bool { publisher == nil }
    }

    package struct Preset: Codable, Hashable, Sendable {
        package var name: String
        package var width: Int
        package var height: Int
        package var frameRate: Double
        package var videoBitrate: Int
        package var audioBitrate: Int

        /// Those that a server ships with, for servers that cannot be asked.
        package static let usual = [
            Preset(name: "low", width: 426, height: 240, frameRate: 24, videoBitrate: 400_000, audioBitrate: 64_000),
            Preset(
                name: "medium", width: 854, height: 480, frameRate: 30, videoBitrate: 1_200_000, audioBitrate: 96_000),
            Preset(
                name: "high", width: 1_280, height: 720, frameRate: 30, videoBitrate: 2_500_000, audioBitrate: 128_000),
            Preset(
                name: "full", width: 1_920, height: 1_080, frameRate: 30, videoBitrate: 5_000_000,
                audioBitrate: 160_000),
        ]
    }

    private struct Page<Item: Codable>: Codable {
        var items: [Item]
    }

    /// Of one answer; four channels are some 4 KB.
    private static let maximumByteCount = 4 << 20
    private static let timeout = TimeAmount.seconds(5)
    /// Of the whole process, and never shut down. A port where nothing listens is said at once, not after retries.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let base: String

    /// An address as people write it: `192.168.1.10:8080` is HTTP, too.
    static func completed(_ address: String) -> String {
        let address = address.trimmingCharacters(in: .whitespaces)
        return address.isEmpty || address.contains("://") ? address : "http://\(address)"
    }

    /// - Parameter address: `http://192.168.1.10:8080`, or without `http://`.
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

    package func channels() async throws(BroadcastError) -> [Channel] {
        try await get(Page<Channel>.self, "/api/v1/channels?limit=200").items
    }

    package func channel(named name: String) async throws(BroadcastError) -> Channel? {
        try await channels().first { $0.name == name }
    }

    /// The port of the server's RTSP listener; `nil` from servers that do not say.
    package func rtspPort() async throws(BroadcastError) -> Int? {
        try await get(About.self, "/api/v1/about").rtspPort
    }

    private struct About: Codable {
        var rtspPort: Int?
    }

    /// - Parameter channels: those there are.
    static func unknownChannel(_ name: String, among channels: [Channel]) -> BroadcastError {
        let names = channels.map(\.name)
        let hint = NearestName.suggestion(for: name, among: names).map { "; did you mean \($0)?" } ?? ""
        return BroadcastError(
            .unknownChannel,
            "the server has no channel \"\(name)\"; it has \(names.joined(separator: ", "))\(hint)")
    }

    package func presets() async throws(BroadcastError) -> [Preset] {
        try await get(Page<Preset>.self, "/api/v1/presets").items
    }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(BroadcastError) -> Value {
        let (status, data): (UInt, Data)
        do {
            let response = try await Self.client.execute(
                HTTPClientRequest(url: base + path), timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.maximumByteCount)
            (status, data) = (response.status.code, Data(buffer: body))
        } catch {
            throw BroadcastError(
                .unreachable, "no server answers at \(base); is it running, and is this its HTTP port?")
        }
        guard status == 200 else {
            throw BroadcastError(.unreachable, "\(base) answers \(path) with \(status); is it an Antena server?")
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
            throw BroadcastError(.unreachable, "\(base) answers \(path) in a form that this version does not know")
        }
    }
}

/// What a running Antena says that it receives on one channel.
public struct GatewayObserver: PushObserver {
    private let api: GatewayAPI
    private let channel: String

    package init(_ api: GatewayAPI, channel: String) {
        self.api = api
        self.channel = channel
    }

    /// - Parameters:
    ///   - server: its web address, such as `http://192.168.1.10:8080`.
    ///   - channel: its name, such as `canalA`.
    /// - Throws: ``BroadcastError`` where the address is none.
    public init(server: String, channel: String) throws(BroadcastError) {
        self.init(try GatewayAPI(address: server), channel: channel)
    }

    /// Asks the server's API.
    public func received() async throws -> ReceivedMedia? {
        guard let channel = try await api.channel(named: channel), channel.publisher != nil else { return nil }
        let video = channel.tracks.first { $0.type == "video" }
        return ReceivedMedia(
            width: video?.width, height: video?.height, frameRate: video?.frameRate,
            bitRate: channel.tracks.reduce(0) { $0 + ($1.bitRate ?? 0) }, viewers: channel.viewers,
            lostPackets: channel.packetsLost ?? 0)
    }
}
