import HLSConformance
import Testing

/// Loads everything that a player would load, and checks it against the rules of HLS.
struct ConformanceClient {
    let origin: HTTPOrigin

    init(server: AntenaProcess) { origin = server.web }

    init(origin: HTTPOrigin) { self.origin = origin }

    func playlist(_ url: String) async throws -> PlaylistLoad {
        let path = String(url.dropFirst(origin.origin.count))
        let plain = try await origin.request(path)
        guard plain.status == 200 else { throw UnexpectedStatus(url: url, status: plain.status) }
        let compressed = try await origin.request(path, headers: ["Accept-Encoding": "gzip"])
        return PlaylistLoad(
            url: url, text: plain.text, contentType: plain.headers["content-type"],
            contentEncoding: compressed.headers["content-encoding"])
    }

    struct UnexpectedStatus: Error {
        var url: String
        var status: Int
    }

    /// - Parameter path: the path of the multivariant playlist.
    func load(_ path: String, hasFullWindow: Bool = false) async throws -> Presentation {
        let multivariant = try await playlist(origin.origin + path)
        let document = PlaylistDocument(multivariant)
        let uris =
            document.segments.map(\.uri) + document.all("EXT-X-MEDIA").compactMap { $0.attributes["URI"] }
        var renditions: [RenditionLoad] = []
        for uri in uris {
            let url = resolve(uri, against: multivariant.url)
            guard !renditions.contains(where: { $0.playlist.url == url }) else { continue }
            renditions.append(try await rendition(url))
        }
        return Presentation(multivariant: multivariant, renditions: renditions, hasFullWindow: hasFullWindow)
    }

    func rendition(_ url: String) async throws -> RenditionLoad {
        let playlist = try await playlist(url)
        let document = PlaylistDocument(playlist)
        var load = RenditionLoad(playlist: playlist)
        let segments = document.segments.filter { $0.tag("EXT-X-GAP") == nil }.map(\.uri)
        let uris =
            segments + document.partGroups.flatMap(\.parts).compactMap(\.uri)
            + Set(document.initializationSections.compactMap { $0 })
        for uri in uris {
            let address = resolve(uri, against: url)
            let reply = try await origin.request(String(address.dropFirst(origin.origin.count)))
            guard reply.status == 200 else { throw UnexpectedStatus(url: address, status: reply.status) }
            load.resources[address] = ResourceLoad(bytes: reply.body, contentType: reply.headers["content-type"])
        }
        return load
    }
}

extension AntenaProcess {
    /// Loads everything that the multivariant playlist at `path` leads to, and records violations of the rules.
    func expectConformance(of path: String) async throws {
        let findings = HLSConformance.check(try await ConformanceClient(server: self).load(path))
        #expect(findings.map(\.description) == [])
    }
}
