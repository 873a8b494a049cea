struct TrackExtends {
    var defaultDuration: UInt32
    var defaultByteCount: UInt32
    var defaultFlags: UInt32
}
