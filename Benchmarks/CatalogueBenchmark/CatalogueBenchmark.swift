import Catalogue
import Database
import Foundation

/// Measures the catalogue's own calls, without HTTP: inserting, listing, searching and looking titles up.
///
///     catalogue-benchmark ADDRESS COUNT
///
/// The database must be empty. Prints one JSON object. Benchmarks/catalogue.py starts it on both engines.
@main struct CatalogueBenchmark {
    private static let words = [
        "winter", "harbour", "orchestra", "interview", "mountain", "football", "cooking", "election", "theatre",
        "railway", "garden", "concert", "history", "island", "market", "science",
    ]
    private static let durableCount = 500
    private static let requestCount = 1_000
    private static let pageSize = 50

    static func main() async throws {
        guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]), count > 0 else {
            FileHandle.standardError.write(Data("usage: catalogue-benchmark ADDRESS COUNT\n".utf8))
            exit(64)
        }
        let database = try await DatabaseAddress(parsing: CommandLine.arguments[1]).open()
        let catalogue = try await Catalogue.open(database, program: "benchmark")
        var results: [String: Double] = [:]
        let start = (clock: ContinuousClock.now, processor: processorSeconds())
        for index in 0..<count { _ = try await catalogue.add(title(index), durability: .soon) }
        try await catalogue.makeDurable()
        results["inserted, titles a second"] = Double(count) / (ContinuousClock.now - start.clock).seconds
        results["inserted, processor time of the program, ms a title"] =
            (processorSeconds() - start.processor) * 1_000 / Double(count)
        let durable = try await times(durableCount) { index in
            _ = try await catalogue.add(title(count + index), durability: .onDisk)
        }
        note("insert, on the disk", durable, &results)
        var cursor: String?
        let lists = try await times(requestCount) { _ in
            cursor = try await catalogue.titles(matching: nil, after: cursor, limit: pageSize).next
        }
        note("list of \(pageSize)", lists, &results)
        for (name, query) in queries {
            let searches = try await times(requestCount) { index in
                _ = try await catalogue.titles(matching: query(index), after: nil, limit: pageSize)
            }
            note("search, \(name)", searches, &results)
        }
        let lookUps = try await times(requestCount) { index in
            let name = title(index &* 7_919 % count).title.replacing(" ", with: "-")
            guard try await catalogue.title(id: name) != nil else { throw SQLError(.failed, "\(name) is missing") }
        }
        note("look-up", lookUps, &results)
        await database.close()
        print(String(decoding: try JSONSerialization.data(withJSONObject: results), as: UTF8.self))
    }

    private static let queries: [(name: String, query: @Sendable (Int) -> String)] = [
        ("two words", { "\(words[$0 % 16]) \(words[$0 / 16 % 16])" }),
        ("a common beginning", { String(words[$0 % 16].prefix(4)) }),
        ("one letter", { String(words[$0 % 16].prefix(1)) }),
        ("a rare word", { String($0) }),
        ("all titles", { _ in "mp4" }),
    ]

    private static func title(_ index: Int) -> TitleRecord {
        let name = "\(words[index % 16]) \(words[index / 16 % 16]) \(index)"
        let path = "/media/vod/\(name).mp4"
        return TitleRecord(
            id: "", title: name, file: "\(name).mp4", sourcePath: path, mediaPath: path, state: .ready,
            ingestSeconds: 0.01, duration: 2, audioCodec: "AAC", byteCount: 5_000,
            modifiedAt: Date(timeIntervalSince1970: 1_700_000_000), revision: "r\(index)",
            addedAt: Date(timeIntervalSince1970: 1_700_000_000))
    }

    /// The seconds that each call takes, in rising order.
    private static func times(
        _ count: Int, isolation: isolated (any Actor)? = #isolation, _ call: (Int) async throws -> Void
    ) async throws -> [Double] {
        var times: [Double] = []
        for index in 0..<count {
            let start = ContinuousClock.now
            try await call(index)
            times.append((ContinuousClock.now - start).seconds)
        }
        return times.sorted()
    }

    private static func note(_ name: String, _ times: [Double], _ results: inout [String: Double]) {
        results["\(name): median, ms"] = times[times.count / 2] * 1_000
        results["\(name): p99, ms"] = times[times.count * 99 / 100] * 1_000
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
