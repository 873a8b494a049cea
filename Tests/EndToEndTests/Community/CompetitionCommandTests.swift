import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Competitions on the command line, and their calendar in the library of https://pypi.org/project/icalendar/.
    @Suite struct CompetitionCommandTests {
        private static func run(_ arguments: [String], _ server: AntenaProcess) async throws -> String {
            let result = try await server.command(["competition"] + arguments + ["--server", server.origin])
            #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
            return result.text.trimmingCharacters(in: .newlines)
        }

        /// Makes a competition with standings, and returns its ID.
        static func competition(on server: AntenaProcess) async throws -> String {
            let id = try await run(
                [
                    "create", "Rally de Otoño, año 1", "--first-day", "2026-10-24", "--days", "2", "--time-zone",
                    "Europe/Madrid", "--description", "Uno\nDos; tres",
                ], server)
            let table = try server.folder.write("Pos;Piloto\n1;Ana\n2;=Eva\n", to: "standings.csv")
            #expect(try await run(["standings", id, table], server) == "\(id): 2 rows")
            return id
        }

        /// Gives a competition a map, on which the video of a title is a point.
        static func map(of competition: String, title: String, on server: AntenaProcess) async throws {
            let track = try server.folder.write(
                """
                <gpx><trk><name>SS1 Tineo</name><trkseg><trkpt lat="43.30" lon="-6.40"/><trkpt lat="43.34" lon="-6.35"/>
                <trkpt lat="43.33" lon="-6.25"/></trkseg></trk></gpx>
                """, to: "stage.gpx")
            #expect(try await run(["map", competition, "--file", track], server).contains("SS1 Tineo"))
            let video = try await server.command(
                [
                    "video", "publish", title, "--name", "Salto", "--competition", competition, "--place",
                    "43.33,-6.3", "--server", server.origin,
                ])
            #expect(video.status == 0, "\(video.errorOutput)")
        }

        @Test func aMapIsATrackOrAnImage() async throws {
            let server = try await AntenaProcess.serving()
            let id = try await Self.competition(on: server)
            let track = try server.folder.write("<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>", to: "short.gpx")
            let refused = try await server.command(
                ["competition", "map", id, "--file", track, "--server", server.origin])
            #expect(refused.status != 0 && refused.errorOutput.contains("two points"), "\(refused.errorOutput)")
            let image = try server.folder.file("plan.png")
            _ = try await ExternalTool("ffmpeg").run(
                ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x400:rate=1", "-frames:v", "1", image])
            let edges = ["--north", "-16", "--west", "179.5", "--south", "-16.5", "--east", "-179.7"]
            let set = try await Self.run(["map", id, "--file", image] + edges, server)
            #expect(set.contains("/map/image?v=") && set.contains("-179.7"), "\(set)")
            #expect(try await Self.run(["map", id], server) == set)
            #expect(try await Self.run(["map", id, "--remove"], server) == "\(id): no map")
        }

        @Test func operatorsKeepCompetitionsAndCalendarsShowThem() async throws {
            let server = try await AntenaProcess.serving()
            let id = try await Self.competition(on: server)
            #expect(
                try await Self.run(["standings", id], server).replacing("\r\n", with: "\n")
                    == "\"Pos\",\"Piloto\"\n\"1\",\"Ana\"\n\"2\",\"'=Eva\"")
            let changed = try await Self.run(["set", id, "--days", "3", "--json"], server)
            let competition = try JSONSerialization.jsonObject(with: Data(changed.utf8)) as? [String: Any]
            #expect((competition?["days"] as? [[String: Any]])?.last?["endsAt"] as? String == "2026-10-26T23:00:00Z")
            #expect(try await Self.run(["list", "--search", "OTONO"], server).contains(id))
            #expect(try await Self.run(["list", "--search", "none"], server) == "no competitions")
            #expect(try await Self.run(["show", id], server).contains("2026-10-26"))

            let program = """
                import sys
                from icalendar import Calendar
                for event in Calendar.from_ical(open(sys.argv[1], "rb").read()).walk("VEVENT"):
                    print(event["UID"], event.decoded("DTSTART"), event.decoded("DTEND"), event["SUMMARY"],
                          repr(str(event["DESCRIPTION"])), event.decoded("LAST-MODIFIED").tzinfo, sep="|")
                    assert not event.errors, event.errors
                """
            let python = "\(Repository.path)/.build/icalendar/bin/python"
            try #require(
                FileManager.default.isExecutableFile(atPath: python), "run Scripts/setup.sh test, which installs it")
            for path in ["/api/v1/competitions.ics", "/api/v1/competitions/\(id)/calendar.ics"] {
                let calendar = try await server.web.request(path)
                #expect(calendar.status == 200)
                let file = try server.folder.write(calendar.body, to: "calendar.ics")
                let lines = try await ExternalTool(path: python).run(["-c", program, file]).lines
                #expect(
                    lines.map(String.init) == [
                        "competition-\(id)@antena|2026-10-24|2026-10-27|Rally de Otoño, año 1|'Uno\\nDos; tres'|UTC"
                    ])
            }

            #expect(try await Self.run(["delete", id], server) == "\(id): deleted")
            #expect(try await Self.run(["list"], server) == "no competitions")
        }
    }
}
