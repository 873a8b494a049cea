extension MediaPlaylist {
    /// The lowest EXT-X-VERSION that the tags in use need (§8). None of the low-latency tags needs one, except
    /// EXT-X-SKIP; EXT-X-GAP needs none either.
    package var requiredVersion: Int {
        if let skip { return skip.recentlyRemovedDateRanges == nil ? 9 : 10 }
        if segments.contains(where: { $0.initializationSection != nil }) || openSegment?.initializationSection != nil {
            return isIFramesOnly ? 5 : 6
        }
        if isIFramesOnly || segments.contains(where: { $0.byteRange != nil }) { return 4 }
        // EXTINF is always written with decimals.
        return 3
    }
}
