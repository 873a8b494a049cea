import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import Testing

@testable import WebAPI

/// The maps of competitions over HTTP.
extension CompetitionEndpointTests {
    private static let gpx = "application/gpx+xml"
    private static let track =
        #"<gpx><trk><name>SS1</name><trkseg><trkpt lat="43.3" lon="-6.4"/><trkpt lat="43.4" lon="-6.2"/></trkseg></trk></gpx>"#
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 60, 0, 80, 3]
    private static let edges = "north=44&west=-7&south=43&east=-6"

    @Test func aTrackIsSetReadAndRemoved() async throws {
        let path = "\(Self.path)/\(try await made())"
        #expect(try await send(.get, "\(path)/map", by: .stranger).status == 404)
        #expect(try await send(.get, path)["map"]?.value == .null)
        let put = try await send(.put, "\(path)/map", Self.track, type: Self.gpx, match: "\"1\"")
        #expect(put.status == 200 && put.tag == "\"2\"", "\(put.text)")
        #expect(put["kind"]?.string == "track" && put["image"]?.value == .null)
        let line = try #require(put["lines"]?.elements?.first)
        #expect(line["name"]?.string == "SS1")
        #expect(line["points"]?.elements?.last?.elements?.map(\.number) == [43.4, -6.2])
        let read = try await send(.get, "\(path)/map", by: .stranger)
        #expect(read.status == 200 && read.text == put.text && read.tag == "\"2\"")
        #expect(try await send(.get, path)["map"]?.string == "\(path)/map")
        #expect(try await send(.get, "\(path)/map/image").status == 404)
        #expect(try await send(.put, "\(path)/map", Self.track, type: Self.gpx, match: "\"1\"").status == 412)
        #expect(try await send(.delete, "\(path)/map", match: "\"1\"").status == 412)
        #expect(try await send(.delete, "\(path)/map").status == 204)
        #expect(try await send(.get, "\(path)/map").status == 404)
    }

    @Test func anImageHasItsEdges() async throws {
        let path = "\(Self.path)/\(try await made())/map"
        let put = try await send(.put, "\(path)?\(Self.edges)", bytes: Self.jpeg, type: "image/jpeg")
        #expect(put.status == 200 && put["kind"]?.string == "image", "\(put.text)")
        #expect(["north", "west", "south", "east"].map { put[$0]?.number } == [44, -7, 43, -6])
        let address = try #require(put["image"]?.string)
        let shown = try await send(.get, address, by: .stranger)
        #expect(shown.status == 200 && shown.headers[.contentType] == "image/jpeg")
        #expect(try await send(.get, address, unless: shown.tag, by: .stranger).status == 304)
        for query in ["", "?north=44", "?north=43&west=-7&south=44&east=-6", "?north=x&west=-7&south=43&east=-6"] {
            let reply = try await send(.put, "\(path)\(query)", bytes: Self.jpeg, type: "image/jpeg")
            #expect(reply.status == 422 && reply["detail"]?.string?.contains("edges") == true, "\(query) \(reply.text)")
        }
        #expect(try await send(.get, path).text == put.text)
    }

    @Test func whatIsNoMapIsNamed() async throws {
        let path = "\(Self.path)/\(try await made())/map"
        let wrong = try await send(.put, path, "<gpx><rte><rtept lat=\"95\" lon=\"1\"/></rte></gpx>", type: Self.gpx)
        #expect(wrong.status == 422 && wrong["detail"]?.string?.contains("point 1 of segment 1") == true)
        #expect(try await send(.put, path, "{}", type: "application/json").status == 415)
        let large = String(repeating: " ", count: GPXTrack.maximumByteCount + 1)
        #expect(try await send(.put, path, large, type: Self.gpx).status == 413)
        let missing = "\(Self.path)/\(OpaqueID())/map"
        #expect(try await send(.put, missing, Self.track, type: Self.gpx).status == 404)
        #expect(try await send(.delete, missing).status == 404)
    }

    @Test func onlyOperatorsSetMaps() async throws {
        let path = "\(Self.path)/\(try await made())/map"
        for (sender, status) in [(Sender.stranger, 401), (try await token("mia", .member), 403)] {
            #expect(try await send(.put, path, Self.track, type: Self.gpx, by: sender).status == status)
            #expect(try await send(.delete, path, by: sender).status == status)
        }
        let olga = try await token("olga", .operator)
        #expect(try await send(.put, path, Self.track, type: Self.gpx, by: olga).status == 200)
    }
}
