extension MediaPlaylist {
    /// The lowest EXT-X-VERSION that supports the tags in use (rfc8216bis §8). EXT-X-GAP and the low-latency tags
    /// other than EXT-X-SKIP do not raise it.
    package var requiredVersion: Int {
        requiredVersion(
            hasMap: segments.contains { $0.initializationSection != nil },
            hasByteRange: segments.contains { $0.byteRange != nil })
    }

    /// The lowest EXT-X-VERSION for ``rendered(concatenating:)`` with these segments.
    package func requiredVersion(concatenating segments: [RenderedSegment]) -> Int {
        requiredVersion(
            hasMap: segments.contains { $0.map != nil }, hasByteRange: segments.contains { $0.hasByteRange })
    }

    private func requiredVersion(hasMap: @autoclosure () -> Bool, hasByteRange: @autoclosure () -> Bool) -> Int {
        if let skip { return skip.recentlyRemovedDateRanges == nil ? 9 : 10 }
        if openSegment?.initializationSection != nil || hasMap() { return isIFramesOnly ? 5 : 6 }
        // EXTINF is always written with decimals, which requires version 3.
        return isIFramesOnly || hasByteRange() ? 4 : 3
    }
}
