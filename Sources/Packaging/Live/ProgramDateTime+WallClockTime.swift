package import HLSPlaylist
package import MediaCore

extension ProgramDateTime {
    package init(_ time: WallClockTime) { self.init(millisecondsSince1970: time.millisecondsSince1970) }
}
