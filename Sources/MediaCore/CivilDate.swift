/// A day of the Gregorian calendar. Computed by the shifted-year method: in years that start in March, the leap day
/// comes last.
package struct CivilDate: Sendable, Hashable {
    package var year: Int64
    /// 1 to 12.
    package var month: Int64
    /// 1 to 31.
    package var day: Int64

    /// Creates a date without checking that the month has that day.
    @inlinable package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter daysSince1970: whole days, negative before 1970; those of any time in milliseconds of 64 bits fit.
    @inlinable package init(daysSince1970: Int64) {
        let days = daysSince1970 + 719_468
        let era = days.dividingFloor(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// The inverse of ``init(daysSince1970:)``. A day that the month does not have counts into the next month. The year
    /// must have been checked: years to 9999 are meant.
    @inlinable package var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.dividingFloor(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// The quotient rounded down, also of negative numbers.
    ///
    /// - Parameter divisor: greater than 0.
    @inlinable package func dividingFloor(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
