import BenchmarkSupport
import Catalogue
import Database
import Foundation
import LibraryDetails
import MediaCore

/// Measures the catalogue's own calls, without HTTP: inserting, listing, searching and looking titles up, and the lists
/// of the video club.
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
        let durable = try await CallTimes.measure(durableCount) { index in
            _ = try await catalogue.add(title(count + index), durability: .onDisk)
        }
        CallTimes.note("insert, on the disk", durable, &results)
        var cursor: String?
        let lists = try await CallTimes.measure(requestCount) { _ in
            cursor = try await catalogue.titles(matching: nil, after: cursor, limit: pageSize).next
        }
        CallTimes.note("list of \(pageSize)", lists, &results)
        for (name, query) in queries {
            let searches = try await CallTimes.measure(requestCount) { index in
                _ = try await catalogue.titles(matching: query(index), after: nil, limit: pageSize)
            }
            CallTimes.note("search, \(name)", searches, &results)
        }
        let lookUps = try await CallTimes.measure(requestCount) { index in
            let name = title(index &* 7_919 % count).title.replacing(" ", with: "-")
            guard try await catalogue.title(id: name) != nil else { throw SQLError(.failed, "\(name) is missing") }
        }
        CallTimes.note("look-up", lookUps, &results)
        try await measureShelves(of: catalogue, database, count: count, &results)
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

    private static let shelfPageSize = 20
    private static let pagesOfAWalk = 200

    /// Pages of 20 of each section and order, from the first on, and searches by relevance.
    private static func measureShelves(
        of catalogue: Catalogue, _ database: any SQLDatabase, count: Int, _ results: inout [String: Double]
    ) async throws {
        for first in stride(from: 1, through: count, by: 1_000) {
            try await database.write(durability: .soon, within: .seconds(60)) { db in
                for number in first..<min(first + 1_000, count + 1) {
                    try ShelfRows.change(of: Int64(number), db) { listing in
                        listing.price = Int64(number % 12)
                        listing.regularPrice = number % 10 == 0 ? 20 : nil
                        listing.isFeatured = number % 500 == 0
                        listing.voteCount = Int64(number % 40)
                        listing.ratingSum = Int64(number % 40) * Int64(number % 10 + 1)
                    }
                }
            }
        }
        try await catalogue.makeDurable()
        let newSince = WallClockTime(millisecondsSince1970: 1_700_000_000_000 + Int64(count) * 900)
        for section in [TitleSection?.none] + TitleSection.allCases {
            for order in [ShelfOrder.newest, .title, .price, .rating] {
                for genre in [nil, words[3]] {
                    let query = ShelfQuery(section: section, genre: genre, order: order, newSince: newSince)
                    let name =
                        "club, \(section?.rawValue ?? "all")\(genre.map { ", \($0)" } ?? "") by \(order.rawValue)"
                    CallTimes.note(name, try await walk(catalogue, query), &results)
                }
            }
        }
        for (name, words) in queries {
            let searches = try await CallTimes.measure(requestCount / 4) { index in
                let query = ShelfQuery(matching: words(index), order: .relevance, newSince: newSince)
                _ = try await catalogue.titles(query, after: nil, limit: shelfPageSize)
            }
            CallTimes.note("club, search, \(name)", searches, &results)
        }
        let genres = try await CallTimes.measure(requestCount / 4) { _ in _ = try await catalogue.genres(visible: nil) }
        CallTimes.note("club, genres", genres, &results)
    }

    private static func walk(_ catalogue: Catalogue, _ query: ShelfQuery) async throws -> [Double] {
        var cursor: String?
        return try await CallTimes.measure(pagesOfAWalk) { _ in
            cursor = try await catalogue.titles(query, after: cursor, limit: shelfPageSize).next
        }
    }

    private static func title(_ index: Int) -> TitleRecord {
        let name = "\(words[index % 16]) \(words[index / 16 % 16]) \(index)"
        let path = "/media/vod/\(name).mp4"
        var title = TitleRecord(
            id: "", title: name, file: "\(name).mp4", sourcePath: path, state: .ready, duration: 2,
            byteCount: 5_000, modifiedAt: Date(timeIntervalSince1970: 1_700_000_000), revision: "r\(index)",
            addedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(index)))
        (title.mediaPath, title.ingestSeconds, title.audioCodec) = (path, 0.01, "AAC")
        var details = title.fileDetails
        details[.genres] = .texts([words[index % 16], words[index / 16 % 16]])
        title.fileDetails = details
        title.show(details)
        return title
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
