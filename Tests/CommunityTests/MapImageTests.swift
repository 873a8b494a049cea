import Testing

@testable import Community

/// The images of maps, and where places are on a drawing.
struct MapImageTests {
    /// The beginning of a JPEG file of a size.
    static func jpeg(width: Int, height: Int) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 17, 8] + bytes(height) + bytes(width) + [3]
    }

    @Test func theSizeIsThatOfTheFrame() throws {
        let image = try #require(MapImage(jpeg: Self.jpeg(width: 640, height: 480)))
        #expect(image.width == 640 && image.height == 480)
        let wrong: [[UInt8]] = [
            [], [0xFF, 0xD8, 0xFF], Array(Self.jpeg(width: 1, height: 1).prefix(14)), Self.jpeg(width: 0, height: 9),
            Self.jpeg(width: 20_000, height: 9), [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0xFF, 0xD8] + Array(repeating: 0xFF, count: 100),
            Self.jpeg(width: 9, height: 9) + Array(repeating: 0, count: MapImage.maximumByteCount),
        ]
        for bytes in wrong { #expect(MapImage(jpeg: bytes) == nil, "\(bytes.prefix(20))") }
    }

    @Test(arguments: [
        (1.0, 0.0, 1.0, 1.0), (1, 0, 2, 1), (86, 0, 1, 1), (1, -181, 0, 1), (1, 5, 0, 5), (1, -170, 0, 20),
        (.nan, 0, 0, 1), (.infinity, 0, 0, 1),
    ])
    func edgesThatAreNoneAreRefused(_ north: Double, _ west: Double, _ south: Double, _ east: Double) {
        #expect(MapBounds(north: north, west: west, south: south, east: east) == nil)
    }

    private static func map(_ north: Double, _ west: Double, _ south: Double, _ east: Double) throws -> CompetitionMap {
        try CompetitionMap(
            try #require(MapImage(jpeg: jpeg(width: 800, height: 400))),
            bounds: try #require(MapBounds(north: north, west: west, south: south, east: east)))
    }

    private static func position(_ map: CompetitionMap, _ latitude: Double, _ longitude: Double) throws -> [Double] {
        let place = try #require(GeographicPoint(latitude: latitude, longitude: longitude))
        let position = MapProjection(map).position(of: place)
        return [position.x.rounded(), position.y.rounded()]
    }

    @Test func theCornersOfAnImageAreThoseOfTheDrawing() throws {
        let map = try Self.map(44, -7, 43, -5)
        #expect(MapProjection(map).height == 500)
        #expect(try Self.position(map, 44, -7) == [0, 0])
        #expect(try Self.position(map, 43, -5) == [1_000, 500])
        #expect(try Self.position(map, 43.5, -6) == [500, 250])
        #expect(MapProjection(map).contains((1_000, 500)) && !MapProjection(map).contains((1_000.1, 0)))
        #expect(throws: MapFailure.image) {
            try CompetitionMap(
                try #require(MapImage(jpeg: Self.jpeg(width: 1_000, height: 10))), bounds: map.bounds)
        }
    }

    @Test func aMapCrossesTheAntimeridian() throws {
        let map = try Self.map(-16, 179, -17, -179)
        #expect(try Self.position(map, -16, -179) == [1_000, 0])
        #expect(try Self.position(map, -17, 180) == [500, 500])
        #expect(try Self.position(map, -17, -180) == [500, 500])
        #expect(try Self.position(map, -17, 0)[0] != 500, "the other side of the Earth is not on the map")
        let lines = try GPXTrack.lines(of: Array(GPXTrackTests.track([(-16, -179.9), (-16.1, 179.9)]).utf8))
        let track = try CompetitionMap(lines: lines)
        #expect(track.bounds.east - track.bounds.west < 1)
        let ends = try [Self.position(track, -16, -179.9), Self.position(track, -16.1, 179.9)]
        #expect(ends[0][0] > ends[1][0], "east is on the right")
    }

    @Test func degreesOfLongitudeAreShorterInTheNorth() throws {
        // A square of 0.1 degrees of latitude at 60 degrees north, where a degree of longitude is half as long.
        let lines = try GPXTrack.lines(of: Array(GPXTrackTests.track([(60, 10), (60.1, 10.2)]).utf8))
        let map = try CompetitionMap(lines: lines)
        let (first, last) = (try Self.position(map, 60, 10), try Self.position(map, 60.1, 10.2))
        #expect(abs((last[0] - first[0]) - (first[1] - last[1])) < 8, "\(first) \(last)")
        // 0.1 degrees of latitude are 11.1 km.
        let metres = (first[1] - last[1]) * MapProjection(map).metresPerUnit
        #expect(abs(metres - 11_120) < 120, "\(metres)")
    }

    @Test func oneSpotIsAMapOfItsSurroundings() throws {
        let lines = try GPXTrack.lines(of: Array(GPXTrackTests.track([(43, -6), (43, -6)]).utf8))
        let map = try CompetitionMap(lines: lines)
        #expect(try Self.position(map, 43, -6) == [500, MapProjection(map).height.rounded() / 2])
        #expect(MapProjection(map).metresPerUnit > 0.3)
    }
}
