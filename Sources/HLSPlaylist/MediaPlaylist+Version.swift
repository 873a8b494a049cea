extension MediaPlaylist {
    /// The lowest EXT-X-VERSION that the tags in use need (§8). None of the low-latency tags needs one, except
    /// EXT-X-SKIP; EXT-X-GAP needs none either.
    package var requiredVersion: Int {
        requiredVersion(
            hasMap: segments.contains { $0.initializationSection != nil },
            hasByteRange: segments.contains { $0.byteRange != nil })
    }

    /// What ``rendered(concatenating:)`` with these segments needs.
    package func requiredVersion(concatenating segments: [RenderedSegment]) -> Int {
        requiredVersion(
            hasMap: segments.contains { $0.map != nil }, hasByteRange: segments.contains { $0.hasByteRange })
    }

    private func requiredVersion(hasMap: @autoclosure () -> Bool, hasByteRange: @autoclosure () -> Bool) -> Int {
        if let skip { return skip.recentlyRemovedDateRanges == nil ? 9 : 10 }
        if openSegment?.initializationSection != nil || hasMap() { return isIFramesOnly ? 5 : 6 }
        // EXTINF is always written with decimals.
        return isIFramesOnly || hasByteRange() ? 4 : 3
    }
}
