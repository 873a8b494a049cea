import FastPathSwitch
import Foundation
import GatewayTestSupport
import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import Packaging
import Synchronization
import Testing

@testable import HLSDelivery

/// Live segments fetched by several viewers are kept once, in limited memory.
@Suite(.enabled(if: FastPaths.takes(.sharedSegments))) struct SharedSegmentsTests {
    /// So small that no block fits, so that each segment has a file of its own.
    private let segments = SharedSegments(maximumByteCount: (4 << 20) + 4 * Self.head.utf8.count) { $0() }

    private static let head = "HTTP/1.1 200 OK\r\n\r\n"

    private func key(_ number: Int, channel: String = "canalA") -> SharedSegments.Key {
        .init(channel: channel, segment: LiveSegmentAddress(rendition: "video", epoch: "e1", mediaSequence: number))
    }

    /// A segment, of which half of the bytes are `first` and half `first + 1`.
    private func fetch(
        _ key: SharedSegments.Key, byteCount: Int = 1 << 20, first: UInt8 = 1, of segments: SharedSegments? = nil
    ) -> SharedSegment? {
        (segments ?? self.segments).segment(for: key, byteCount: byteCount) {
            ByteBuffer(string: Self.head)
        } pieces: {
            [
                ByteBuffer(repeating: first, count: byteCount / 2),
                ByteBuffer(repeating: first + 1, count: byteCount / 2),
            ]
        }
    }

    /// Reading never blocks the event loop.
    private func bytes(_ media: StoredMedia) throws -> Data {
        var reader = StoredMediaReader(media, range: 0..<media.byteCount)
        var bytes = ByteBuffer()
        #expect(try reader.readPiece(media.byteCount, into: &bytes, cachedOnly: true))
        return Data(bytes.readableBytesView)
    }

    private func content(_ byteCount: Int = 1 << 20, first: UInt8 = 1) -> Data {
        Data(repeating: first, count: byteCount / 2) + Data(repeating: first + 1, count: byteCount / 2)
    }

    @Test func theSecondViewerGetsAFileAndAllOthersTheSameOne() throws {
        #expect(fetch(key(1)) == nil)
        let segment = try #require(fetch(key(1)))
        #expect(fetch(key(1))?.file === segment.file)
        #expect(try bytes(segment.media) == content())
        #expect(try bytes(segment.response) == Data(Self.head.utf8) + content())
        #expect(fetch(key(1, channel: "canalB")) == nil)
    }

    @Test func theOldestFilesMakeRoom() throws {
        for number in 0..<6 { _ = (fetch(key(number)), fetch(key(number))) }
        #expect(segments.byteCount == 4 * ((1 << 20) + Self.head.utf8.count))
        // The first segment has to be fetched twice again.
        #expect(fetch(key(0)) == nil)
        #expect(fetch(key(5)) != nil)
    }

    @Test func segmentsThatAreFetchedOnceTakeNoMemory() {
        for number in 0..<(2 * SharedSegments.maximumCount) { #expect(fetch(key(number)) == nil) }
        #expect(segments.byteCount == 0)
    }

    @Test func smallAndHugeSegmentsStayAsTheyAre() {
        for byteCount in [SharedSegments.minimumSegmentByteCount - 2, (1 << 20) + 100] {
            #expect(fetch(key(1), byteCount: byteCount) == nil)
            #expect(fetch(key(1), byteCount: byteCount) == nil)
        }
    }

    /// It would lie over its neighbour.
    @Test func aSegmentThatIsLargerThanItsSizeIsNotShared() {
        for _ in 0..<3 {
            let shared = segments.segment(for: key(1), byteCount: 1 << 19) {
                ByteBuffer(string: Self.head)
            } pieces: {
                [ByteBuffer(repeating: 1, count: 1 << 19), ByteBuffer(repeating: 2, count: 1)]
            }
            #expect(shared == nil)
        }
        #expect(segments.byteCount == 0)
    }

    @Test func whatNobodyFetchesAnyMoreIsRemoved() throws {
        _ = fetch(key(1))
        let segment = try #require(fetch(key(1)))
        segments.removeUnused()
        #expect(fetch(key(1))?.file === segment.file)
        segments.removeUnused()
        segments.removeUnused()
        #expect(segments.byteCount == 0)
        #expect(fetch(key(1)) == nil)
    }

    @Test func severalSegmentsShareABlockAndEachKeepsItsBytes() throws {
        let segments = SharedSegments { $0() }
        let shared = try (0..<12).map { number in
            let (key, first) = (key(number), UInt8(10 * number))
            #expect(fetch(key, first: first, of: segments) == nil)
            return try #require(fetch(key, first: first, of: segments))
        }
        for (number, segment) in shared.enumerated() {
            #expect(try bytes(segment.response) == Data(Self.head.utf8) + content(first: UInt8(10 * number)))
        }
        let files = Set(shared.map { ObjectIdentifier($0.file) })
        // A system without huge pages gives each its own file.
        if shared.dropFirst().allSatisfy({ $0.file.byteCount.isMultiple(of: Int64(MediaFile.hugePageByteCount)) }) {
            #expect(files.count < 6)
            #expect(segments.byteCount <= 12 << 20 + 8 << 20)
        } else {
            #expect(files.count == 12)
        }
    }

    @Test func aHeadThatIsChangedForOneViewerIsNotTheSharedOne() throws {
        _ = fetch(key(1))
        let segment = try #require(fetch(key(1)))
        var transfer = FileTransfer(
            segment.media, request: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
            fields: [.cacheControl: "public, max-age=60"], etag: "\"1\"")
        transfer.encoded = segment.response
        func byteCount(_ answer: MediaAnswer) -> Int? {
            guard case .file(var transfer) = answer else { return nil }
            _ = transfer.includeEncodedHead()
            return transfer.remainingByteCount
        }
        let answer = MediaAnswer.file(transfer)
        #expect(byteCount(answer.cached(atMost: 1_000)) == segment.response.byteCount)
        #expect(byteCount(answer.cached(atMost: 10)) == segment.media.byteCount)
        #expect(byteCount(answer.forOneViewer) == segment.media.byteCount)
    }

    @Test func aBlockThatSlowClientsHoldIsChargedAsAWholeAndOnce() throws {
        let channel = try #require(RadioPublisher().directory.viewableChannel(named: "canalA"))
        let file = try MediaFile(inMemory: 4 << 20)
        let budget = DeliveryBudget(maximumByteCount: 64 << 20)
        let departed = DepartedSegments()
        var claims = try (1...3).map { number in
            let address = LiveSegmentAddress(rendition: "video", epoch: "e1", mediaSequence: number)
            let holding = LiveHolding(channel: channel, segment: address, in: file)
            return try #require(departed.claim(holding, of: AddressGroup(nil), in: budget))
        }
        #expect(budget.usedByteCount == 4 << 20)
        claims.removeAll()
        #expect(budget.usedByteCount == 0)
    }

    @Test func noViewerWaitsForABlock() throws {
        let work = Mutex([@Sendable () -> Void]())
        let segments = SharedSegments { job in work.withLock { $0.append(job) } }
        for number in 0..<3 {
            #expect(fetch(key(number), of: segments) == nil)
            let segment = try #require(fetch(key(number), of: segments))
            #expect(segment.file.byteCount == Int64((1 << 20) + Self.head.utf8.count))
        }
        // One block is made at a time.
        #expect(work.withLock { $0.count } == 1)
    }

    @Test func aBlockIsNotKeptForNobody() throws {
        let work = Mutex([@Sendable () -> Void]())
        let segments = SharedSegments { job in work.withLock { $0.append(job) } }
        _ = (fetch(key(1), of: segments), fetch(key(1), of: segments))
        segments.removeUnused()
        segments.removeUnused()
        for job in work.withLock({ $0 }) { job() }
        #expect(segments.byteCount == 0)
    }

    @Test func blocksStayWithinTheLimitAndGoWithTheirLastSegment() throws {
        let limit = 32 << 20
        let segments = SharedSegments(maximumByteCount: limit) { $0() }
        for number in 0..<100 {
            let byteCount = (1 + number % 7) << 20
            _ = fetch(key(number), byteCount: byteCount, of: segments)
            let segment = try #require(fetch(key(number), byteCount: byteCount, of: segments))
            #expect(segments.byteCount <= limit)
            #expect(try bytes(segment.media).count == byteCount)
        }
        segments.removeUnused()
        segments.removeUnused()
        #expect(segments.byteCount == 0)
    }
}
