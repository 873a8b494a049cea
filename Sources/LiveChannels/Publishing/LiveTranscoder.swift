package import MediaCore

/// Transcodes a track that HLS does not carry into one that it does, on a thread of its own.
package protocol LiveTranscoder: AnyObject, Sendable {
    /// Hands over a unit; never blocks. Returns false if the bounded queue is full and the unit was dropped.
    func send(_ unit: AccessUnit) -> Bool
    /// Closes the transcoder. Nothing may be sent afterwards; unfinished work may be discarded.
    func close()
}
