import Accounts
import BenchmarkSupport
import Catalogue
import Community
import Crypto
import Database
import Forum
import Foundation
import MediaCore
import NIOPosix
import Notifications

/// Measures the community's own calls, without HTTP: pages of videos and of comments, the first ones and the last ones,
/// search, and publishing for many followers.
///
///     community-benchmark ADDRESS VIDEOS COMMENTS FOLLOWERS
///
/// The database must be empty. Half of the videos are of one member and in one competition, and half of the comments
/// are on one video. Prints one JSON object. Benchmarks/community.py starts it on both engines.
@main struct CommunityBenchmark {
    private static let words = [
        "winter", "harbour", "orchestra", "interview", "mountain", "football", "cooking", "election", "theatre",
        "railway", "garden", "concert", "history", "island", "market", "science",
    ]
    private static let pageSize = 20
    /// The page that has to come as fast as the first one.
    private static let farPage = 5_000
    private static let requestCount = 1_000
    private static let publicationCount = 90
    private static let batchSize = 2_000
    /// With a number added, and behind seven letters, it has the form of an ID.
    private static let firstIdentifier: Int64 = 1_000_000_000_000_000_000

    private let database: any SQLDatabase
    private let community: Community
    private let notifications: Notifications
    private let videoCount, commentCount, followerCount: Int
    /// Who publishes half of the videos and has all followers, and somebody who follows them.
    private let press = CommunityBenchmark.caller("press")
    private let reader = CommunityBenchmark.caller("reader")

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        guard CommandLine.arguments.count == 5, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
            FileHandle.standardError.write(Data("usage: community-benchmark ADDRESS VIDEOS COMMENTS FOLLOWERS\n".utf8))
            exit(64)
        }
        let database = try await DatabaseAddress(parsing: CommandLine.arguments[1]).open()
        let benchmark = try await CommunityBenchmark(database, numbers[0], numbers[1], numbers[2])
        var results: [String: Double] = [:]
        try await benchmark.fill(&results)
        try await benchmark.measureLists(&results)
        try await benchmark.measureSearch(&results)
        try await benchmark.measureComments(&results)
        try await benchmark.measurePublishing(&results)
        await database.close()
        print(String(decoding: try JSONSerialization.data(withJSONObject: results), as: UTF8.self))
    }

    private init(_ database: any SQLDatabase, _ videos: Int, _ comments: Int, _ followers: Int) async throws {
        self.database = database
        (videoCount, commentCount, followerCount) = (videos, comments, followers)
        let accounts = try await Accounts.open(
            database, program: "benchmark", hasher: PasswordHasher(threads: .singleton), settings: AccountsSettings(),
            sealingKey: SymmetricKey(size: .bits256))
        _ = try await Catalogue.open(database, program: "benchmark")
        community = try await Community.open(database, program: "benchmark")
        _ = try await Forum.open(database, community: community, program: "benchmark")
        notifications = try await Notifications.open(
            database, program: "benchmark", accounts: accounts, key: SymmetricKey(size: .bits256))
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
    }

    private static func caller(_ name: String) -> Caller {
        Caller(
            .session(Member(id: UserID(), username: name, role: .member), OpaqueID()),
            RequestOrigin(AddressGroup(nil), address: "192.0.2.1", device: "benchmark"))
    }

    private func id(_ caller: Caller) throws -> UserID { try Community.member(caller).id }

    // MARK: Filling

    private func fill(_ results: inout [String: Double]) async throws {
        let start = ContinuousClock.now
        let (press, reader, now) = (try id(press), try id(reader), community.now)
        try await addAccount(press, "press")
        try await addAccount(reader, "reader")
        try await addFollowers(of: press)
        // What is published in the benchmark needs titles of its own.
        let titleCount = videoCount + Self.publicationCount
        try await batch(titleCount) { first, last, db in
            try db.execute(
                """
                \(Self.numbers)
                INSERT INTO title(id, title, sortKey, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
                SELECT 't' || value, 't', 't', 't' || value, '/t', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000' FROM n
                """, .integer(first), .integer(last))
        }
        try await database.write(durability: .soon, within: .seconds(60)) { db in
            try db.execute(
                """
                INSERT INTO competition(id, name, nameKey, description, timeZone, firstDay, dayCount, startsAt, endsAt,
                    revision, createdAt, changedAt, standings)
                VALUES (?1, 'Rally', 'rally', '', 'UTC', 0, 3, 0, 1, 1, 0, 0, '')
                """, .text(OpaqueID().text))
        }
        try await batch(videoCount) { first, last, db in
            try db.execute(
                """
                \(Self.numbers)
                INSERT INTO communityVideo(id, titleNumber, ownerID, name, text, tags, competition, day, visibility,
                    commentPolicy, state, publishedAt, changedAt, revision)
                SELECT 'vvvvvvv' || (CAST(?6 AS BIGINT) + value), number,
                    CASE WHEN value % 2 = 0 THEN CAST(?3 AS TEXT) ELSE CAST(?4 AS TEXT) END,
                    'Stage ' || value, 'Filmed beside the road', '', CASE WHEN value % 2 = 0 THEN 1 END,
                    CASE WHEN value % 2 = 0 THEN value % 3 + 1 END, 'public', 'open', 'shown', CAST(?5 AS BIGINT),
                    CAST(?5 AS BIGINT), 1
                FROM n JOIN title ON title.id = 't' || value
                """, .integer(first), .integer(last), .text(press.text), .text(reader.text),
                .time(now - .seconds(200_000)),
                .integer(Self.firstIdentifier))
            try db.execute(
                """
                INSERT INTO videoCount(video, isListed, ownerID, competition, day, likes, comments, views)
                SELECT number, 1, ownerID, competition, day, number * 7919 % 1000, 0, 0 FROM communityVideo
                WHERE number BETWEEN ?1 AND ?2
                """, .integer(first), .integer(last))
            for number in first...last {
                let index = Int(number)
                let text = "\(Self.words[index % 16]) \(Self.words[index / 16 % 16]) \(index)"
                try db.execute(
                    "INSERT INTO communityVideoText(rowid, text) VALUES (?1, ?2)", .integer(number),
                    .text(FullTextQuery.indexed(SearchText(text).folded)))
            }
        }
        // Every tenth comment is an answer to the one before it.
        try await batch(commentCount) { first, last, db in
            try db.execute(
                """
                \(Self.numbers)
                INSERT INTO videoComment(id, video, parent, authorID, text, state, replies, writtenAt)
                SELECT 'ccccccc' || (CAST(?6 AS BIGINT) + value),
                    CASE WHEN value % 20 < 10 THEN 1 ELSE value / 20 % CAST(?5 AS BIGINT) + 1 END,
                    CASE WHEN value % 10 = 1 AND value > 1 THEN value - 1 END, CAST(?3 AS TEXT), 'What a jump!', 'shown',
                    CASE WHEN value % 10 = 0 THEN 1 ELSE 0 END, CAST(?4 AS BIGINT)
                FROM n
                """, .integer(first), .integer(last), .text(reader.text), .time(now), SQLValue(videoCount),
                .integer(Self.firstIdentifier))
        }
        try await database.write(durability: .onDisk, within: .seconds(300)) { db in
            let tables = ["title", "communityVideo", "videoCount", "videoComment", "memberFollow", "account"]
            for table in tables { try db.execute("ANALYZE \(table)") }
        }
        results["filled, s"] = (ContinuousClock.now - start).seconds
    }

    /// The numbers from the first to the second parameter.
    private static let numbers = """
        WITH RECURSIVE n(value) AS (
            SELECT CAST(?1 AS BIGINT) UNION ALL SELECT value + 1 FROM n WHERE value < CAST(?2 AS BIGINT))
        """

    private func batch(
        _ count: Int, _ body: @escaping @Sendable (_ first: Int64, _ last: Int64, any SQLConnection) throws -> Void
    ) async throws {
        for first in stride(from: 1, through: count, by: Self.batchSize) {
            let last = min(first + Self.batchSize - 1, count)
            try await database.write(durability: .soon, within: .seconds(60)) { db in
                try body(Int64(first), Int64(last), db)
            }
        }
    }

    private func addAccount(_ id: UserID, _ name: String) async throws {
        let now = community.now
        try await database.write(durability: .soon, within: .seconds(60)) { db in
            try Self.insertAccount(id, name, now, db)
        }
    }

    private static func insertAccount(
        _ id: UserID, _ name: String, _ now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            INSERT INTO account(id, username, usernameKey, role, state, createdAt, revision)
            VALUES (?1, ?2, ?3, 'member', 'active', ?4, 1)
            """, .text(id.text), .text(name), .caseless(name), .time(now))
    }

    private func addFollowers(of press: UserID) async throws {
        let (reader, now) = (try id(reader), community.now)
        try await batch(followerCount) { first, last, db in
            for number in first...last {
                let follower = number == 1 ? reader : UserID()
                if number > 1 { try Self.insertAccount(follower, "f\(number)", now, db) }
                try db.execute(
                    "INSERT INTO memberFollow(follower, followed, followedAt) VALUES (?1, ?2, ?3)",
                    .text(follower.text), .text(press.text), .time(now))
            }
        }
        let (followers, videos) = (followerCount, videoCount)
        try await database.write(durability: .soon, within: .seconds(60)) { db in
            for (member, followers, followings) in [(press, followers, 0), (reader, 0, 1)] {
                try db.execute(
                    "INSERT INTO memberCount(userID, videos, followers, followings) VALUES (?1, ?2, ?3, ?4)",
                    .text(member.text), SQLValue(videos / 2), SQLValue(followers), SQLValue(followings))
            }
        }
    }

    // MARK: Measuring

    private func measureLists(_ results: inout [String: Double]) async throws {
        guard let rally = try await community.competitions(CompetitionFilter()).items.first?.id else {
            throw SQLError(.failed, "the competition is missing")
        }
        let (press, reader) = (try id(press), try id(reader))
        let scopes: [(name: String, scope: VideoQuery.Scope)] = [
            ("all videos", .all), ("a competition", .competition(rally, day: nil)),
            ("a day of a competition", .competition(rally, day: 2)), ("a member", .member(press)),
            ("a feed", .feed(of: reader)),
        ]
        for (name, scope) in scopes {
            for order in VideoQuery.Order.allCases {
                let query = VideoQuery(scope, order: order, reader: reader)
                try await measurePages("\(name) by \(order.rawValue)", &results) { cursor in
                    try await community.videos(query, after: cursor, limit: Self.pageSize).next
                }
            }
        }
    }

    private func measureSearch(_ results: inout [String: Double]) async throws {
        let queries: [(name: String, query: @Sendable (Int) -> String)] = [
            ("two words", { "\(Self.words[$0 % 16]) \(Self.words[$0 / 16 % 16])" }),
            ("a common beginning", { String(Self.words[$0 % 16].prefix(4)) }),
            ("one letter", { String(Self.words[$0 % 16].prefix(1)) }), ("a rare word", { String($0 + 1) }),
        ]
        let reader = try id(reader)
        for order in VideoQuery.Order.allCases {
            for (name, words) in queries {
                let times = try await CallTimes.measure(Self.requestCount / 4) { index in
                    let query = VideoQuery(order: order, matching: words(index), reader: reader)
                    _ = try await community.videos(query, limit: Self.pageSize)
                }
                CallTimes.note("search, \(name) by \(order.rawValue)", times, &results)
            }
        }
    }

    private func measureComments(_ results: inout [String: Double]) async throws {
        guard let video = OpaqueID(parsing: "vvvvvvv\(Self.firstIdentifier + 1)") else {
            throw SQLError(.failed, "the video has no ID")
        }
        try await measurePages("comments", &results) { [reader] cursor in
            try await community.comments(
                on: video, for: reader, isModerator: false, after: cursor, limit: Self.pageSize
            )
            .page.next
        }
    }

    private func measurePublishing(_ results: inout [String: Double]) async throws {
        let first = videoCount + 1
        let times = try await CallTimes.measure(Self.publicationCount) { index in
            _ = try await community.publish(
                VideoContents(name: "Finish \(index)"), title: "t\(first + index)", by: press)
        }
        CallTimes.note("publishing for \(followerCount) followers", times, &results)
        let start = ContinuousClock.now
        try await notifications.tellAll()
        results["telling \(followerCount) followers of \(Self.publicationCount) videos, s"] =
            (ContinuousClock.now - start).seconds
    }

    /// The first page, again and again, and the last pages up to ``farPage``.
    ///
    /// - Parameter page: reads a page and returns the cursor of the next one.
    private func measurePages(
        _ name: String, _ results: inout [String: Double], _ page: (_ cursor: String?) async throws -> String?
    ) async throws {
        let first = try await CallTimes.measure(Self.requestCount) { _ in _ = try await page(nil) }
        CallTimes.note("\(name), first page", first, &results)
        var (cursors, number): ([String], Int) = ([], 1)
        var cursor = try await page(nil)
        while let next = cursor, number < Self.farPage {
            cursors = cursors.suffix(9) + [next]
            number += 1
            cursor = try await page(next)
        }
        guard !cursors.isEmpty else { return }
        let last = try await CallTimes.measure(Self.requestCount) { index in
            _ = try await page(cursors[index % cursors.count])
        }
        CallTimes.note("\(name), page \(number)", last, &results)
    }
}
