import Glibc

/// The events in bytes that were read from inotify(7), one after the other.
package struct InotifyEvents: Sequence, IteratorProtocol {
    package struct Event {
        package let watch: Int32
        private let mask: UInt32
        /// The name of the file in the folder that is watched; empty for events of the folder, and of lost events.
        package let name: String

        fileprivate init(_ event: inotify_event, name: String) {
            (watch, mask, self.name) = (event.wd, event.mask, name)
        }

        /// Returns whether the event has a flag, such as `IN_MODIFY`.
        package func has(_ flag: Int) -> Bool { mask & UInt32(truncatingIfNeeded: flag) != 0 }
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter bytes: complete events. They have to stay until the last one has been taken.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package mutating func next() -> Event? {
        let start = offset + MemoryLayout<inotify_event>.size
        guard start <= bytes.count else { return nil }
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = start + Int(event.len)
        guard end <= bytes.count else { return nil }
        offset = end
        return Event(event, name: String(decoding: bytes[start..<end].prefix { $0 != 0 }, as: UTF8.self))
    }
}
