import MediaStorage
import Packaging

/// The contents of a file in the media store, of which the cache holds ranges.
struct CachedContents: RemoteContents {
    let object: CachedObject

    func beginReading(_ ranges: [FileRange]) -> Bool { object.beginReading(ranges.map(\.offsets)) }

    func endReading(_ ranges: [FileRange]) { object.endReading(ranges.map(\.offsets)) }

    func fetch(_ ranges: [FileRange], _ completion: @escaping FetchCompletion) {
        object.fetch(ranges.map(\.offsets), then: completion)
    }

    func prefetch(_ ranges: [FileRange]) { object.prefetch(ranges.map(\.offsets)) }

    func fetchAndWait(_ ranges: [FileRange]) throws { try object.fetchBlocking(ranges.map(\.offsets)) }
}

extension FileRange {
    fileprivate var offsets: Range<Int64> { offset..<max(offset, endOffset) }
}
