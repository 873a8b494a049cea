/// Media of titles whose files lie on another machine.
extension PackagedTitle {
    /// Has the media of an MPEG-TS segment brought to this machine if it is on another one.
    ///
    /// - Parameters:
    ///   - index: The segment's index.
    ///   - name: The name of the transport stream.
    ///   - completion: Called once, on any thread, unless the result is false.
    /// - Returns: False if nothing has to be brought, also if there is no such segment.
    package func fetchTransportStreamMedia(
        _ index: Int, of name: String, _ completion: @escaping FetchCompletion
    ) -> Bool {
        Self.fetch(transportStreamMedia(index, of: name)[...], completion)
    }

    /// Fetches from one file after the other.
    private static func fetch(
        _ parts: ArraySlice<(file: MediaFile, ranges: [FileRange])>,
        _ completion: @escaping FetchCompletion
    ) -> Bool {
        for (position, part) in zip(parts.indices, parts) {
            let rest = parts[(position + 1)...]
            let isFetched = part.file.fetch(part.ranges) { result in
                guard case .success = result, fetch(rest, completion) else { return completion(result) }
            }
            if isFetched { return true }
        }
        return false
    }
}
