/// The court below a drawing.
package enum StrategyCourt: String, Sendable, Hashable, CaseIterable {
    case racquetball, volleyball, badminton, tennis, basketball, football
    /// A field without lines, for any other sport.
    case plain
}
