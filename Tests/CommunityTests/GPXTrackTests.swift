import Testing

@testable import Community

/// The map of a competition: GPX files of operators, and their drawing.
struct GPXTrackTests {
    /// A rally of two stages and a link, as a route planner writes it.
    static let rally = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>Rally</name></metadata>
        <wpt lat="43.1" lon="-5.9"><name>Service</name></wpt>
        <trk><name> SS1  Tineo </name>
        <trkseg><trkpt lat="43.30" lon="-6.40"><ele>600</ele><time>2026-10-24T08:00:00Z</time></trkpt>
        <trkpt lat="43.32" lon="-6.38"/><trkpt lat="43.31" lon="-6.30"/></trkseg>
        <trkseg><trkpt lat="43.31" lon="-6.29"/><trkpt lat="43.35" lon="-6.25"/></trkseg></trk>
        <rte><name>Enlace</name><rtept lat="43.35" lon="-6.25"/><rtept lat="43.36" lon="-6.20"/></rte>
        <trk><trkseg><trkpt lat="1" lon="1"/></trkseg><trkseg/></trk>
        </gpx>
        """

    static func track(_ points: [(Double, Double)], name: String = "a") -> String {
        let points = points.map { "<trkpt lat=\"\($0.0)\" lon=\"\($0.1)\"/>" }.joined()
        return "<gpx><trk><name>\(name)</name><trkseg>\(points)</trkseg></trk></gpx>"
    }

    private static func map(_ points: [(Double, Double)]) throws -> CompetitionMap {
        try CompetitionMap(lines: try GPXTrack.lines(of: Array(track(points).utf8)))
    }

    @Test func segmentsAndRoutesAreLinesWithTheirNames() throws {
        let lines = try GPXTrack.lines(of: Array(Self.rally.utf8))
        #expect(lines.map(\.name) == ["SS1 Tineo", nil, "Enlace"])
        #expect(lines.map(\.points.count) == [3, 2, 2])
        #expect(lines[0].points[0] == GeographicPoint(latitude: 43.30, longitude: -6.40))
    }

    @Test func controlCharactersOfNamesAreRemovedAndLongOnesCut() throws {
        let name = "A\u{202E}B\n<![CDATA[<b>]]>" + String(repeating: "x", count: 200)
        let lines = try GPXTrack.lines(of: Array(Self.track([(1, 1), (2, 2)], name: name).utf8))
        let read = try #require(lines.first?.name)
        #expect(read.hasPrefix("AB <b>x") && read.unicodeScalars.count <= MapLine.maximumNameLength)
    }

    @Test(arguments: [
        ("", "byte 0"), ("<gpx>", "not closed"), ("<kml/>", "`kml` and not `gpx`"), ("<gpx/>", "two points"),
        (track([(1, 1)]), "two points"), ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "byte 1"),
        (
            "<gpx><rte><rtept lat=\"1\" lon=\"2\"/><rtept lon=\"2\"/></rte></gpx>",
            "point 2 of segment 1 has no latitude"
        ),
        ("<gpx><rte><rtept lat=\"91\" lon=\"2\"/></rte></gpx>", "the latitude \"91\""),
        (
            "<gpx><rte/><rte><rtept lat=\"1\" lon=\"nan\"/></rte></gpx>",
            "point 1 of segment 2 has the longitude \"nan\""
        ),
        ("<gpx><rte><rtept lat=\"1\" lon=\"inf\"/></rte></gpx>", "the longitude \"inf\""),
        ("<gpx><rte><rtept lat=\"\(String(repeating: "9", count: 4_000))\" lon=\"1\"/></rte></gpx>", "the latitude"),
        ("<gpx>\(String(repeating: "<rte/>", count: 101))</gpx>", "not 101"),
        (
            "<gpx><rte>\(String(repeating: "<rtept/>", count: GPXTrack.maximumPointCount + 1))</rte></gpx>",
            "not 30001"
        ),
        (String(repeating: "<gpx>", count: 17), "16 levels"), (track([(86, 1), (86, 2)]), "85 degrees"),
        (track([(0, -100), (0, 0), (0, 100)]), "180 degrees"),
    ])
    func whatIsWrongIsSaidWithItsPlace(_ file: String, _ part: String) {
        do {
            _ = try CompetitionMap(lines: try GPXTrack.lines(of: Array(file.utf8)))
            Issue.record("the file was taken: \(file.prefix(60))")
        } catch {
            #expect("\(error)".contains(part) && "\(error)".count < 300, "\(error)")
        }
    }

    @Test func bytesThatAreCutOrDamagedAreNoTrap() {
        let bytes = Array(Self.rally.utf8)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? GPXTrack.lines(of: Array(bytes.prefix(count)))
            var damaged = bytes
            damaged[count] = UInt8(truncatingIfNeeded: count &* 31)
            _ = try? GPXTrack.lines(of: damaged)
        }
    }

    @Test func pointsThatNobodyWouldSeeAreLeftOut() throws {
        // A straight road with a point each 10 metres, and a hairpin.
        let straight = (0...2_000).map { (43.0 + Double($0) * 0.000_1, -6.0) }
        guard case .lines(let lines) = try Self.map(straight + [(43.1, -5.99), (43.2, -5.98)]).ground else { return }
        #expect(lines.first?.points.count == 4)
        // Noise everywhere: as many points as there may be, and the ends of each line.
        var seed: UInt32 = 1
        func random() -> Double {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return Double(seed >> 8) / Double(1 << 24)
        }
        let noise = (0..<6_000).map { _ in (40 + random(), random()) }
        guard case .lines(let noisy) = try Self.map(noise).ground else { return }
        #expect(noisy.first?.points.count == CompetitionMap.maximumPointCount)
        #expect(noisy.first?.points.first.map { abs($0.latitude - noise[0].0) < 0.000_01 } == true)
        #expect(noisy.first?.points.last.map { abs($0.longitude - noise[5_999].1) < 0.000_01 } == true)
    }

    @Test func aMapComesBackFromTheDatabase() throws {
        let maps = [
            try CompetitionMap(lines: try GPXTrack.lines(of: Array(Self.rally.utf8))),
            try Self.map([(-17, 179.5), (-16, -179.5)]), try Self.map([(0, 0), (0, 0)]),
            try CompetitionMap(
                try #require(MapImage(jpeg: MapImageTests.jpeg(width: 800, height: 600))),
                bounds: try #require(MapBounds(north: -16, west: 179, south: -17, east: -179))),
        ]
        for map in maps { #expect(CompetitionMap(stored: try map.stored()) == map) }
        for text in ["", "{}", "[]", #"{"lines": []}"#, #"{"edges": [1, 2], "width": 1, "height": 1, "version": ""}"#] {
            #expect(CompetitionMap(stored: text) == nil, "\(text)")
        }
    }
}
